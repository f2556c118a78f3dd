"""Images in `backup`, `restore`, `move` and `doctor --deep`: no row loses its file, and no file its row unnoticed."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mdpublish_server.services.health import check_image_store
from mdpublish_server.settings import read_settings
from tests.server.command import Run, refusal, runner

FILES = {f"{number:032x}.png": bytes([number]) * 9 for number in range(1, 4)}
FIRST, SECOND, THIRD = FILES


@pytest.fixture
def database(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """With three images and their files."""
    (tmp_path / "data").mkdir()
    file = Path(shutil.copy(migrated_sqlite, tmp_path / "data" / "live.db"))
    with closing(sqlite3.connect(file)) as database, database:
        for name, content in FILES.items():
            hexadecimal = name[:32]
            lengths = (8, 12, 16, 20, 32)
            identifier = "-".join(
                hexadecimal[start:end] for start, end in zip((0, *lengths[:-1]), lengths, strict=True)
            )
            database.execute(
                "INSERT INTO images VALUES (?, 'account', 'png', 3, 3, ?, 1, 1, NULL)", (identifier, len(content))
            )
    put(images_of(file))
    return file


def put(folder: Path) -> None:
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)


def images_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.images")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def run(database: Path) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": f"sqlite:///{database}"})


def image_problems(database: Path, store: str = "") -> list[str]:
    """Return what `doctor --deep` says of the store, without its other checks."""
    variables = {"MDPUBLISH_DATABASE_URL": f"sqlite:///{database}", "MDPUBLISH_IMAGE_STORE": store}
    results = asyncio.run(check_image_store(read_settings(variables), is_deep=True))
    return [result.message.partition("data/live.db.images ")[2] for result in results if not result.is_ok]


def test_backup_has_the_images_and_restore_brings_them_back(run: Run, database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.db"
    (images_of(database) / f"{FIRST}.x.unfinished").write_bytes(b"half")
    assert run("backup", str(backup)).stderr.splitlines() == [
        f"wrote {backup}",
        f"copied 3 images to {backup}.images",
    ]
    assert contents(images_of(backup)) == FILES
    assert (images_of(backup).stat().st_mode, (images_of(backup) / FIRST).stat().st_mode) == (0o40700, 0o100600)
    assert "images    3" in run("backup", "--verify", str(backup)).stdout.splitlines()

    (images_of(database) / FIRST).unlink()
    (images_of(database) / SECOND).write_bytes(b"damaged")
    assert image_problems(database) == [
        f"lacks the files of 2 images, or has them damaged: {FIRST}, {SECOND}; restore them from a backup"
    ]
    assert run("restore", str(backup)).stderr.splitlines()[0] == f"copied 2 images to {images_of(database)}"
    assert contents(images_of(database)).items() >= FILES.items()
    assert image_problems(database) == []


def test_verify_counts_images_without_a_file(run: Run, tmp_path: Path) -> None:
    backup = tmp_path / "copy.db"
    run("backup", str(backup))
    (images_of(backup) / FIRST).unlink()
    assert "images    3 (1 without a file)" in run("backup", "--verify", str(backup)).stdout.splitlines()


def test_restore_says_which_images_stay_lost(run: Run, database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.db"
    run("backup", str(backup))
    shutil.rmtree(images_of(backup))
    shutil.rmtree(images_of(database))
    assert "3 images have no file in" in run("restore", str(backup)).stderr


def test_failed_backup_leaves_no_images(run: Run, database: Path, tmp_path: Path) -> None:
    images_of(tmp_path / "copy.db").mkdir()
    assert "already exists" in refusal(run("backup", str(tmp_path / "copy.db")))
    assert contents(images_of(tmp_path / "copy.db")) == {}
    database.write_bytes(b"rotten")
    refusal(run("backup", str(tmp_path / "other.db")))
    assert not images_of(tmp_path / "other.db").exists()


def test_kept_backups_share_the_files_that_they_have_in_common(run: Run, database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    run("backup", str(folder), "--keep", "2")
    (images_of(database) / FIRST).unlink()
    run("backup", str(folder), "--keep", "2")
    old, new = sorted(folder.glob("*.images"))
    assert contents(old) == FILES
    assert sorted(contents(new)) == [SECOND, THIRD]
    assert (old / SECOND).samefile(new / SECOND)
    run("backup", str(folder), "--keep", "1")
    (left,) = folder.glob("*.images")
    assert sorted(contents(left)) == [SECOND, THIRD]


def test_doctor_names_files_of_no_image(database: Path) -> None:
    """A smaller variant belongs to its image, and what is named otherwise to nobody here."""
    stray = f"{9:032x}.png"
    for name in (stray, f"{FIRST[:32]}-640.webp", "readme.txt"):
        (images_of(database) / name).write_bytes(b"x")
    assert image_problems(database) == [
        f"has 1 files of no image: {stray}; delete them, unless the store belongs to another database"
    ]


@pytest.fixture
def bucket(run: Run, bucket_url: str) -> Run:
    return lambda *arguments: run(*arguments, MDPUBLISH_IMAGE_STORE=bucket_url)


def test_bucket_is_not_copied_and_can_be_filled_from_a_backup(
    run: Run, bucket: Run, bucket_url: str, database: Path, tmp_path: Path
) -> None:
    run("backup", str(tmp_path / "copy.db"))
    done = bucket("backup", str(tmp_path / "bare.db"))
    assert "let the bucket s3://" in done.stderr
    assert "secret" not in done.stderr
    assert not images_of(tmp_path / "bare.db").exists()
    shutil.rmtree(images_of(database))
    assert bucket("restore", str(tmp_path / "copy.db")).stderr.startswith("copied 3 images to s3://")
    assert "copied 3" not in bucket("restore", str(tmp_path / "copy.db")).stderr
    assert image_problems(database, bucket_url) == []


def test_store_that_is_away_leaves_the_database_as_it_was(run: Run, database: Path, tmp_path: Path) -> None:
    run("backup", str(tmp_path / "copy.db"))
    before = database.read_bytes()
    (tmp_path / "file").touch()
    done = run("restore", str(tmp_path / "copy.db"), MDPUBLISH_IMAGE_STORE=str(tmp_path / "file"))
    assert "the database is as it was" in refusal(done)
    assert database.read_bytes() == before


def test_move_copies_the_images_beside_the_database(database: Path, empty_postgresql: str, tmp_path: Path) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql, "MDPUBLISH_IMAGE_STORE": str(tmp_path / "shared")})
    done = run("move", str(database))
    assert (done.exit_code, f"copied 3 images to {tmp_path}/shared" in done.stderr) == (0, True), done.output
    assert contents(tmp_path / "shared") == contents(images_of(database)) == FILES


def test_move_counts_images_whose_files_are_elsewhere(database: Path, empty_postgresql: str, tmp_path: Path) -> None:
    shutil.rmtree(images_of(database))
    run = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql, "MDPUBLISH_IMAGE_STORE": str(tmp_path / "shared")})
    assert f"3 images have no file in {tmp_path}/shared" in run("move", str(database)).stderr
