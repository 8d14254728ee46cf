"""Codes and keys."""

import pytest

from app.rooms import keys


@pytest.mark.parametrize("given", ["KX4PQ", "kx4pq", " kx4 pq ", "KX4-PQ"])
def test_a_code_is_read_as_people_write_it(given: str):
    assert keys.read_code(given) == "KX4PQ"


@pytest.mark.parametrize(
    "given", ["", "KX4P", "KX4PQR", "KX0PQ", "KXIPQ", "KX4P\0", "é" * 5, "K" * 9999]
)
def test_what_is_no_code_is_none(given: str):
    assert keys.read_code(given) is None


def test_a_new_code_can_be_read():
    assert all(keys.read_code(code) == code for code in (keys.new_code() for _ in range(100)))


def test_a_student_s_key_is_of_one_room_and_nobody_makes_it():
    salt = keys.new_salt()
    mine = keys.student_key("KX4PQ", salt)
    assert keys.code_of(mine) == "KX4PQ"
    assert keys.is_students(mine, salt)
    assert mine != keys.student_key("KX4PQ", salt)
    assert not keys.is_students(mine, keys.new_salt())
    assert not keys.is_students(mine[:-1] + ("0" if mine[-1] != "0" else "1"), salt)
    assert not keys.is_students(keys.teacher_key("KX4PQ"), salt)


@pytest.mark.parametrize("given", ["", "KX4PQ", "KX4PQ--", "' OR 1=1", "KX4PQ-" + "0" * 65])
def test_what_is_no_key_is_of_no_room(given: str):
    assert keys.code_of(given) is None
    assert not keys.is_students(given, keys.new_salt())
