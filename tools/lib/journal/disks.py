"""Small disks in memory, which a test makes full and empty again; root can mount them, others cannot."""
import os
import subprocess


class Disks:
    SIZE = "6g"

    def __init__(self):
        self.mounted = []
        # The reason why there are none; empty where there are.
        self.trouble = "" if os.getuid() == 0 else "only root can mount a small disk"

    def mount(self, folder):
        folder.mkdir(exist_ok=True)
        if self.trouble:
            return
        done = self.order("-t", "tmpfs", "-o", f"size={self.SIZE},mode=755", "skan-test", folder)
        if done.returncode:
            self.trouble = f"no small disk can be mounted: {done.stderr.strip()}"
        else:
            self.mounted.append(folder)

    def fill(self, folder, spare_kilobytes):
        """Leaves so much room and no more."""
        for _ in range(20):
            state = os.statvfs(folder)
            used = (state.f_blocks - state.f_bfree) * state.f_frsize // 1024
            # It fails where more was written meanwhile.
            if self.order("-o", f"remount,size={used + spare_kilobytes}k", folder).returncode == 0:
                return
        raise OSError(f"the disk {folder} can't be made smaller")

    def empty(self, folder):
        self.order("-o", f"remount,size={self.SIZE}", folder)

    def order(self, *words):
        return subprocess.run(["mount", *map(str, words)], capture_output=True, text=True)

    def end(self):
        for folder in self.mounted:
            subprocess.run(["umount", "-l", folder], capture_output=True)
