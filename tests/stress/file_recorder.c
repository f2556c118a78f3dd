/* Preloaded into a process, appends its operations on files below $RECORDED_FOLDER to the file $RECORD.

   An operation is noted when it is done; a sync also before it begins, since it covers what was done by then. Each note
   is one write with O_APPEND: the order of notes of all threads and processes is one in which they may have happened.
   It does not see files that stdio opens, nor truncate(), which PostgreSQL calls for files that it deletes.
   recorded_disk.py reads the notes. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, OPEN_FOLDER, WRITE, RESIZE, EXTEND, RENAME, UNLINK, SYNC, SYNCED };
enum { MAX_FILES = 65536, MAX_PARTS = 256 };

struct note { uint64_t kind, file, argument, size; };

static uint64_t inodes[MAX_FILES]; /* of open files that are recorded; else 0 */

static uint64_t inode(int fd) { return fd >= 0 && fd < MAX_FILES ? inodes[fd] : 0; }

static void note(uint64_t kind, uint64_t file, uint64_t argument, const struct iovec *parts, int count)
{
    static int record = -1;
    struct note head = {kind, file, argument, 0};
    struct iovec all[MAX_PARTS + 1] = {{&head, sizeof head}};
    if (record < 0)
        record = syscall(SYS_openat, AT_FDCWD, getenv("RECORD"), O_WRONLY | O_APPEND | O_CLOEXEC);
    for (int part = 0; part < count; part++) {
        all[part + 1] = parts[part];
        head.size += parts[part].iov_len;
    }
    if (syscall(SYS_writev, record, all, count + 1) != (long)(sizeof head + head.size))
        abort();
}

static void note_path(uint64_t kind, uint64_t file, uint64_t argument, const char *path)
{
    struct iovec part = {(void *)path, strlen(path)};
    note(kind, file, argument, &part, 1);
}

/* Write the absolute path to `whole`; return it if it is recorded, else NULL. */
static const char *recorded(const char *path, char whole[2 * PATH_MAX])
{
    const char *folder = getenv("RECORDED_FOLDER");
    size_t length = 0;
    if (*path != '/') {
        if (syscall(SYS_getcwd, whole, PATH_MAX) < 0)
            return NULL;
        length = strlen(whole);
        whole[length++] = '/';
    }
    strncpy(whole + length, path, PATH_MAX);
    return folder && !strncmp(whole, folder, strlen(folder)) ? whole : NULL;
}

static uint64_t inode_of_path(const char *path)
{
    struct stat found;
    return lstat(path, &found) ? 0 : found.st_ino;
}

int open(const char *path, int flags, ...)
{
    char whole[2 * PATH_MAX];
    struct stat found;
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd < 0 || fd >= MAX_FILES)
        return fd;
    inodes[fd] = 0;
    if (recorded(path, whole) && !fstat(fd, &found) && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) {
        inodes[fd] = found.st_ino;
        note_path(S_ISDIR(found.st_mode) ? OPEN_FOLDER : OPEN, found.st_ino, flags, whole);
    }
    return fd;
}
int open64(const char *, int, ...) __attribute__((alias("open")));

int close(int fd)
{
    if (inode(fd))
        inodes[fd] = 0;
    return syscall(SYS_close, fd);
}

static ssize_t written(int fd, const struct iovec *parts, int count, off_t offset, ssize_t size)
{
    struct iovec part = {parts->iov_base, size}; /* may be less than was to be written */
    if (inode(fd) && size > 0)
        note(WRITE, inode(fd), offset, count == 1 ? &part : parts, count);
    return size;
}

ssize_t write(int fd, const void *data, size_t size)
{
    struct iovec part = {(void *)data, size};
    ssize_t done = syscall(SYS_write, fd, data, size);
    return written(fd, &part, 1, inode(fd) ? lseek(fd, 0, SEEK_CUR) - done : 0, done);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    struct iovec part = {(void *)data, size};
    return written(fd, &part, 1, offset, syscall(SYS_pwrite64, fd, data, size, offset));
}
ssize_t pwrite64(int, const void *, size_t, off64_t) __attribute__((alias("pwrite")));

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
    ssize_t size = 0;
    for (int part = 0; part < count; part++)
        size += parts[part].iov_len;
    ssize_t done = syscall(SYS_pwritev, fd, parts, count, offset, 0);
    if (inode(fd) && (done != size || count > MAX_PARTS))
        abort(); /* not noted in part */
    return written(fd, parts, count, offset, done);
}
ssize_t pwritev64(int, const struct iovec *, int, off64_t) __attribute__((alias("pwritev")));

int ftruncate(int fd, off_t size)
{
    int failure = syscall(SYS_ftruncate, fd, size);
    if (!failure && inode(fd))
        note(RESIZE, inode(fd), size, NULL, 0);
    return failure;
}
int ftruncate64(int, off64_t) __attribute__((alias("ftruncate")));

int posix_fallocate(int fd, off_t offset, off_t size)
{
    if (syscall(SYS_fallocate, fd, 0, offset, size))
        return errno;
    if (inode(fd))
        note(EXTEND, inode(fd), offset + size, NULL, 0);
    return 0;
}
int posix_fallocate64(int, off64_t, off64_t) __attribute__((alias("posix_fallocate")));

int rename(const char *from, const char *to)
{
    char whole[2][2 * PATH_MAX];
    uint64_t file = inode_of_path(from);
    int failure = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (!failure && recorded(from, whole[0]) && recorded(to, whole[1])) {
        struct iovec parts[] = {{whole[0], strlen(whole[0]) + 1}, {whole[1], strlen(whole[1])}};
        note(RENAME, file, 0, parts, 2);
    }
    return failure;
}

int unlink(const char *path)
{
    char whole[2 * PATH_MAX];
    uint64_t file = inode_of_path(path);
    int failure = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!failure && recorded(path, whole))
        note_path(UNLINK, file, 0, whole);
    return failure;
}

static int sync_file(long call, int fd)
{
    if (inode(fd))
        note(SYNC, inode(fd), gettid(), NULL, 0);
    int failure = syscall(call, fd);
    if (!failure && inode(fd))
        note(SYNCED, inode(fd), gettid(), NULL, 0);
    return failure;
}

int fsync(int fd) { return sync_file(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_file(SYS_fdatasync, fd); }
