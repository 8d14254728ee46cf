"""The trial of registers, end to end on made-up photographs."""

from pathlib import Path

import pytest
import torch

from core.training.vision.network import VIT, Architecture, build
from tests.benchmarks.registers import main, on_registers, patch_lengths, start
from tests.core.training.vision.made_up_photos import write_photos


def test_it_trains_both_and_tells_a_line_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_photos(tmp_path / "data")
    assert main(["--data", str(data), "--steps", "1", "--cache", str(tmp_path / "trial")]) == 0
    _, without, some = capsys.readouterr().out.splitlines()
    assert (without.split()[0], some.split()[0]) == ("0", "4")
    assert without.endswith(" 0.0%")
    assert not some.endswith(" 0.0%")


def test_registers_get_what_an_even_attention_gives_them() -> None:
    made = Architecture(VIT.name, {**VIT.arguments, "depth": 2, "reg_tokens": 4})
    model = build(made, classes=3, device="cpu").eval()
    for block in model.blocks:
        block.attn.qkv.weight.data.zero_()
        block.attn.qkv.bias.data.zero_()
    pictures = torch.randn(2, 3, 112, 112)
    assert on_registers(model, pictures) == pytest.approx(4 / (1 + 4 + 196))
    assert patch_lengths(model, pictures).shape == (2 * 196,)


@pytest.mark.parametrize("registers", [0, 4])
def test_the_patches_keep_their_places(registers: int) -> None:
    models = []
    for n in (0, registers):
        made = Architecture(VIT.name, {**VIT.arguments, "reg_tokens": n})
        models.append(build(made, classes=3, device="cpu").eval())
        start(models[-1], n)
    plain, some = (model.pos_embed for model in models)
    torch.testing.assert_close(some[:, 1 + registers :], plain[:, 1:])
    torch.testing.assert_close(some[:, :1], plain[:, :1])
    assert not some[:, 1 : 1 + registers].any()


def test_a_wrong_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "nowhere is not a folder" in capsys.readouterr().err
