"""Picture models of timm, one of every architecture that attends, and of transformers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import timm
import torch
from PIL import Image
from safetensors.torch import save_file
from timm.layers.config import set_fused_attn

import core
from core.data.synthetic_scenes import make_scene
from core.trace import AttentionKind, Trace
from tests.benchmarks.parity.outcome import Outcome, Verdict, array, compared, raw, refused
from tests.tiny_transformers_pictures import (
    DECLINED,
    DETECTORS,
    PICTURES,
    save_transformers_pictures,
)

TIMM: Final = "timm"
TRANSFORMERS: Final = "transformers, pictures"
SMALLER: Final = ({"depth": 2}, {"depths": (1, 1, 1, 1)}, {})  # the first that it takes
ARCHITECTURES: Final = (
    *("vit_tiny_patch16_224", "vit_base_patch32_siglip_256", "vit_small_patch14_reg4_dinov2"),
    *("beit_base_patch16_224", "deit3_small_patch16_224", "deit_tiny_distilled_patch16_224"),
    *("deit_tiny_patch16_224", "eva02_tiny_patch14_224", "vit_small_patch16_dinov3"),
    *("pit_ti_224", "pvt_v2_b0", "swin_tiny_patch4_window7_224", "swinv2_tiny_window8_256"),
    *("swinv2_cr_tiny_224", "test_vit_relpos", "vit_tiny_r_s16_p8_224", "vitamin_small_224"),
    *("mvitv2_tiny", "halonet_h1", "caformer_s18", "cait_xxs24_224", "coat_tiny"),
    *("coatnet_nano_rw_224", "maxvit_pico_rw_256", "convit_tiny", "cpubone_nano"),
    *("crossvit_tiny_240", "csatv2", "davit_tiny", "edgenext_xx_small", "efficientformer_l1"),
    *("efficientformerv2_s0", "efficientvit_b0", "efficientvit_m0", "focalnet_tiny_srf"),
    *("gcvit_xxtiny", "hiera_tiny_224", "iformer_t", "levit_128s", "lowformer_b0"),
    *("mobilevit_xxs", "naflexvit_base_patch16_parfac_gap", "nest_tiny", "nextvit_small"),
    *("poolformer_s12", "samvit_base_patch16_224", "shvit_s1", "swiftformer_xs"),
    *("tiny_vit_5m_224", "tnt_s_legacy_patch16_224", "twins_svt_small", "twins_pcpvt_small"),
    *("visformer_tiny", "volo_d1_224", "xcit_nano_12_p8_224", "resnet18"),
)
OF_TRANSFORMERS: Final = (*PICTURES, *DETECTORS, *DECLINED)


def timm_outcome(architecture: str, folder: Path) -> Outcome:
    """A family of timm against its own code without the fused kernel."""
    build, module = _built(architecture)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.08)
    weights = {name: one.contiguous().clone() for name, one in module.state_dict().items()}
    save_file(weights, folder / "model.safetensors")
    size = timm.get_pretrained_cfg(architecture).input_size
    config = {
        "architecture": architecture,
        "num_classes": 5,
        "model_args": build,
        "pretrained_cfg": {"input_size": size},
    }
    (folder / "config.json").write_text(json.dumps(config))

    def own(model: Any, picture: Image.Image) -> list[np.ndarray]:
        set_fused_attn(enable=False)
        eager = timm.create_model(architecture, num_classes=5, **build).eval()
        set_fused_attn(enable=True, experimental=True)
        eager.load_state_dict(weights)
        maps: list[np.ndarray] = []
        dropped = [part.attn_drop for part in eager.modules() if hasattr(part, "attn_drop")]
        for part in dropped:
            part.register_forward_hook(lambda _m, given, _o: maps.append(array(given[0])))
        if not dropped:  # MViT multiplies its softmax as it is
            _keep_softmaxes(eager, maps)
        with torch.inference_mode():
            eager(model.transform(picture)[None])
        return maps

    return _outcome(TIMM, architecture, folder, size[1:], own)


def transformers_outcome(name: str, folder: Path) -> Outcome:
    """A family of transformers against its own eager model."""
    save_transformers_pictures(name, folder)
    if name in DETECTORS:
        return _detector_outcome(name, folder)

    def own(model: Any, picture: Image.Image) -> list[np.ndarray]:
        mine = model.module.model
        given = {} if mine.config.model_type == "clip" else {"config": mine.config}
        eager = type(mine).from_pretrained(folder, attn_implementation="eager", **given).eval()
        maps: list[np.ndarray] = []
        for path, part in eager.named_modules():
            block, _, last = path.rpartition(".")
            if last in ("attention", "self_attn") and block.rpartition(".")[2].isdigit():
                part.register_forward_hook(lambda _m, _g, made: maps.append(array(made[1])))
        noise = {}
        if mine.config.model_type == "vit_mae":
            noise = {"noise": torch.arange(16.0)[None]}
        with torch.inference_mode():
            eager(pixel_values=model.transform(picture)[None], output_attentions=True, **noise)
        return maps

    return _outcome(TRANSFORMERS, name, folder, (50, 70), own)


def _detector_outcome(name: str, folder: Path) -> Outcome:
    """Places to places, slots to slots, slots to places."""
    model: Any = core.load(folder, device="cpu")
    layers = model.trace(7).layers
    found = [one.weights[None] for of_kind in layers.values() for one in of_kind]
    mine = model.module
    eager = type(mine.model).from_pretrained(folder, attn_implementation="eager").eval()
    picture = torch.from_numpy(make_scene(7).draw(mine.picture_size)).permute(2, 0, 1)[None]
    with torch.inference_mode():
        made = eager(mine.prepared(picture), output_attentions=True)
    maps = (*made.encoder_attentions, *made.decoder_attentions, *made.cross_attentions)
    return compared(TRANSFORMERS, name, found, [array(one) for one in maps])


def _outcome(
    library: str,
    family: str,
    folder: Path,
    size: tuple[int, ...],
    own: Callable[[Any, Image.Image], list[np.ndarray]],
) -> Outcome:
    colours = np.random.default_rng(0).integers(0, 256, (size[0], size[1], 3), dtype=np.uint8)
    picture = Image.fromarray(colours)
    try:
        model = core.load(folder, core.VisionModel, device="cpu")
        trace = model.trace(picture)
    except core.InputError as error:
        return refused(library, family, error, folder)
    except Exception as error:  # what a reader should never see
        return raw(library, family, error)
    if (wrong := _misplaced(trace)) is not None:
        return Outcome(library, family, Verdict.WRONG, wrong)
    layers = trace.layers[AttentionKind.ENCODER]
    found = [
        layer.weights[None] if layer.windows is None else layer.windows.weights for layer in layers
    ]
    return compared(library, family, found, own(model, picture))


def _misplaced(trace: Trace) -> str | None:
    """What is wrong with the grids of a trace, if anything."""
    for layer in trace.layers[AttentionKind.ENCODER]:
        grids = (layer.query_grid, layer.key_grid)
        if layer.map_shape != tuple(grid.n_tokens if grid else 0 for grid in grids):
            return f"layer {layer.index}: a map of {layer.map_shape} on {grids}"
    return None


def _built(architecture: str) -> tuple[dict[str, Any], torch.nn.Module]:
    for arguments in SMALLER:
        try:
            torch.manual_seed(0)
            return arguments, timm.create_model(architecture, num_classes=5, **arguments)
        except Exception:  # it takes other arguments
            continue
    raise ValueError(f"{architecture} can't be built")


def _keep_softmaxes(module: torch.nn.Module, maps: list[np.ndarray]) -> None:
    """Every attention's softmax, read off the tensor's own method."""
    kind = torch.Tensor
    whole = kind.softmax

    def kept(tensor: torch.Tensor, *given: Any, **options: Any) -> torch.Tensor:
        made = whole(tensor, *given, **options)
        maps.append(array(made))
        return made

    def begin(*_: Any) -> None:
        kind.softmax = kept

    def end(*_: Any) -> None:
        kind.softmax = whole

    module.register_forward_pre_hook(begin)
    module.register_forward_hook(end)
