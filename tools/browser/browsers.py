"""The two browsers that pages are tested in."""
import contextlib

from playwright.sync_api import sync_playwright


@contextlib.contextmanager
def chromium():
    with sync_playwright() as p, p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser:
        yield browser


@contextlib.contextmanager
def webkit():
    """The driver of WebKitGTK, a relative of Safari."""
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service
    settings = Options()
    settings.binary_location = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
    settings.add_argument("--automation")
    driver = webdriver.WebKitGTK(options=settings, service=Service("/usr/bin/WebKitWebDriver"))
    try:
        yield driver
    finally:
        driver.quit()
