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


def sign_in(page, url, token):
    """Signs in with a token; a test is faster than a person, so it waits where the daemon limits attempts."""
    page.goto(f"{url}/sign-in")
    while True:
        page.fill("#token", token)
        with page.expect_response(lambda answer: answer.request.method == "POST") as answers:
            page.click("button.primary")
        if answers.value.status != 429:
            break
        page.wait_for_timeout(1000 * int(answers.value.headers["retry-after"]))
    page.wait_for_load_state()
    assert "/sign-in" not in page.url, page.url
