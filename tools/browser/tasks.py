"""Ten tasks of a marketer's day, played with the keyboard alone and by touch on a phone's width, in Chromium and WebKit.

Each has the most steps and seconds that it may take. A step is a button, a link, or a choice in a list; what is typed into
a field, and the menu of the navigation on a phone, are none.
"""
import contextlib
import re
import time

import site_pages

SAMPLE = "launch-events.csv.gz"
BY_TEXT = "//*[self::a or self::button or self::summary][normalize-space()={0} or @aria-label={0}]"


def quoted(text):
    return "concat({}, '')".format(", ".join(f'"{part}"' if "'" in part else f"'{part}'" for part in [text]))


class Lost(Exception):
    """What a player looked for is not there."""


class Player:
    """Someone who does a task; how keys and fingers reach the page is up to the engine."""

    def __init__(self, site):
        self.site, self.steps, self.began = site, 0, 0.0

    def begin(self, path):
        self.open(self.site.url + path)
        self.steps, self.began = 0, time.monotonic()

    def sign_in(self, token):
        self.open(f"{self.site.url}/sign-in")
        self.write("//input[@id='token']", token)
        self.push("//button[contains(@class, 'primary')]")
        self.sees("Overview")

    def press(self, text, within=""):
        """A button or a link by its words."""
        self.push(f"{within}{BY_TEXT.format(quoted(text))}")
        self.steps += 1

    def press_beginning(self, text):
        self.push(f"//*[self::a or self::button][starts-with(normalize-space(), {quoted(text)})]")
        self.steps += 1

    def go(self, text):
        """A page of the navigation."""
        self.show_menu()
        self.push(f"//nav[contains(@class, 'nav')]//a[normalize-space()={quoted(text)}]")
        self.steps += 1

    def pick(self, field, word):
        self.choose(f"//select[{self.labelled(field)}]", word)
        self.steps += 1

    def fill(self, field, text):
        self.write(f"//input[{self.labelled(field)}]", text)

    @staticmethod
    def labelled(field):
        return f"@id=//label[starts-with(normalize-space(), {quoted(field)})]/@for or @aria-label={quoted(field)}"

    def confirm(self):
        """Checks each box that a publication asks for."""
        for number in range(self.count("//input[@name='ack']")):
            self.check(f"(//input[@name='ack'])[{number + 1}]")

    def sees(self, pattern, seconds=60):
        """Waits for text on the page, and returns it."""
        end = time.monotonic() + seconds
        while True:
            if found := re.search(pattern, self.text()):
                return found[0]
            if time.monotonic() > end:
                raise Lost(f"{self.address()} does not show {pattern!r}")
            time.sleep(0.05)


class Keyboard(Player):
    """Chromium at a desk: Tab, Enter, arrows and letters."""

    def __init__(self, site, page):
        super().__init__(site)
        self.page = page
        page.set_default_timeout(30_000)

    def open(self, url):
        self.page.goto(url)

    def address(self):
        return self.page.url

    def text(self):
        with contextlib.suppress(Exception):
            return self.page.locator("body").inner_text()
        return ""

    def show_menu(self):
        pass

    def reach(self, path):
        element = self.page.locator(f"xpath={path}").locator("visible=true").first
        element.wait_for()
        for _ in range(400):
            if element.evaluate("e => e === document.activeElement"):
                return element
            self.page.keyboard.press("Tab")
        raise Lost(f"{self.page.url}: Tab does not reach {path}")

    def push(self, path):
        self.reach(path)
        self.page.keyboard.press("Enter")

    def check(self, path):
        self.reach(path)
        self.page.keyboard.press("Space")

    def count(self, path):
        return self.page.locator(f"xpath={path}").count()

    def write(self, path, text):
        self.reach(path)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, path, word):
        element = self.reach(path)
        names = element.locator("option").all_text_contents()
        wanted = next((index for index, name in enumerate(names) if name.startswith(word)), None)
        if wanted is None:
            raise Lost(f"{self.page.url}: {path} has no choice {word!r}, but {names}")
        now = element.evaluate("e => e.selectedIndex")
        for _ in range(abs(wanted - now)):
            self.page.keyboard.press("ArrowDown" if wanted > now else "ArrowUp")


class Phone(Keyboard):
    """Chromium on a phone: a finger, and a keyboard on the screen."""

    def show_menu(self):
        menu = self.page.locator("summary", has_text="Menu").first
        if menu.is_visible():
            menu.tap()

    def push(self, path):
        self.page.locator(f"xpath={path}").locator("visible=true").first.tap()

    def check(self, path):
        self.page.locator(f"xpath={path}").first.tap()

    def opened(self, path):
        """A field, after what it is folded into is open."""
        element = self.page.locator(f"xpath={path}").first
        element.wait_for(state="attached")
        element.evaluate("e => { for (let d = e.closest('details'); d; d = d.parentElement.closest('details')) d.open = true }")
        return element

    def write(self, path, text):
        self.opened(path).fill(text)

    def choose(self, path, word):
        element = self.opened(path)
        name = next((name for name in element.locator("option").all_text_contents() if name.startswith(word)), None)
        if name is None:
            raise Lost(f"{self.page.url}: {path} has no choice {word!r}")
        element.select_option(label=name)


class WebKit(Player):
    """WebKitGTK, a relative of Safari, by keys; choices in lists are made by the driver, which has no keys for their menu."""

    def __init__(self, site, driver):
        super().__init__(site)
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
        from selenium.webdriver.support.select import Select
        self.driver, self.chains, self.by, self.keys, self.select = driver, ActionChains, By, Keys, Select

    def open(self, url):
        self.driver.get(url)

    def address(self):
        return self.driver.current_url

    def text(self):
        with contextlib.suppress(Exception):
            return self.driver.execute_script("return document.body.innerText") or ""
        return ""

    def show_menu(self):
        pass

    def find(self, path):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for element in self.driver.find_elements(self.by.XPATH, path):
                with contextlib.suppress(Exception):
                    if element.is_displayed():
                        return element
            time.sleep(0.05)
        raise Lost(f"{self.address()}: {path} is not there")

    def reach(self, path):
        element = self.find(path)
        for _ in range(400):
            if self.driver.execute_script("return arguments[0] === document.activeElement", element):
                return element
            self.chains(self.driver).send_keys(self.keys.TAB).perform()
        raise Lost(f"{self.address()}: Tab does not reach {path}")

    def push(self, path):
        self.reach(path).send_keys(self.keys.ENTER)

    def check(self, path):
        self.reach(path).send_keys(self.keys.SPACE)

    def count(self, path):
        return len(self.driver.find_elements(self.by.XPATH, path))

    def write(self, path, text):
        element = self.reach(path)
        element.send_keys(self.keys.CONTROL, "a")
        element.send_keys(text)

    def choose(self, path, word):
        element = self.find(path)
        menu = self.select(element)
        name = next((option.text for option in menu.options if option.text.startswith(word)), None)
        if name is None:
            raise Lost(f"{self.address()}: {path} has no choice {word!r}")
        menu.select_by_visible_text(name)


# The tasks of an empty database, in this order: the first one fills the sample that the next ones read.


def first_figures(player):
    player.begin("/")
    player.press("Look at sample data")
    player.sees(r"Sample data: no figure is real")
    player.sees(r"Conversions, window 1\s+[\d,]{3,}")


def campaigns_that_surely_lose(player):
    player.begin("/?environment=test")
    player.go("Estimates")
    player.press_beginning("Surely below")
    player.sees(r"Estimates by campaign\s+[1-9]\d* campaign")


def why_a_figure_moved(player):
    player.begin("/?environment=test")
    player.go("Why it moved")
    player.sees(r"Change of mapping[\s\S]*Together")


def return_after_thirty_days(player):
    player.begin("/estimates?environment=test")
    player.pick("Revenue of the first", "30 days")
    player.pick("Currency", "EUR")
    player.press("Apply")
    player.sees(r"Estimated return on spend, 30d")


# The tasks of a database with an app's postbacks and users.


def mapping_from_a_model(player):
    player.begin("/mappings")
    player.pick("Begin with", "Model: Revenue by day")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.press("Review and publish")
    player.sees(r"It becomes version")


def mapping_from_own_users(player):
    player.begin("/mappings")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.pick("Users", SAMPLE)
    player.sees(r"Campaign error|No difference that matters")
    player.press("Start from a model or from your users")
    player.press("Propose from these users")
    player.sees(r"The proposal is ready", seconds=240)
    player.press("Use this mapping")
    player.sees(r"[Ss]aved")


def one_range(player):
    player.begin("/mappings")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.pick("Users", SAMPLE)
    player.sees(r"No difference that matters")
    player.steps, player.began = 0, time.monotonic()
    player.write("//*[@name='$.grids[0].revenue[2]']", "0.15")
    player.steps += 1
    player.sees(r", then ")


def publish_and_hand_over(player):
    player.begin("/mappings")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.press("Review and publish")
    player.sees(r"It becomes version")
    player.steps, player.began = 0, time.monotonic()
    player.fill("In force for installs from", "2031-01-0{}".format(1 + player.number))
    player.press("Show this day")
    player.confirm()
    player.press_beginning("Publish version")
    player.sees(r"is published")
    player.press("Create a link")
    player.sees(r"/m/")


def view_of_one_app(player):
    player.begin("/")
    player.go("Access")
    player.fill("Name", f"colleague-{player.number}")
    player.fill("Apps", "525463029")
    player.fill("Your own token", player.site.editor)
    player.press("Create token")
    player.sees(r"once")


# Each with the most steps and seconds; the designer's time is its own.
EMPTY = [(first_figures, 1, 10), (campaigns_that_surely_lose, 2, 10), (why_a_figure_moved, 2, 10),
         (return_after_thirty_days, 3, 15)]
OWN = [(mapping_from_a_model, 5, 60), (mapping_from_own_users, 5, 300), (one_range, 1, 5), (publish_and_hand_over, 4, 30),
       (view_of_one_app, 3, 30)]


def play(report, players):
    """Plays each task once with each player; those of a list, one after the other."""
    for tasks, player, name in players:
        for task, most, seconds in tasks:
            title = f"task: {task.__name__.replace('_', ' ')}, {name}"
            try:
                task(player)
            except Exception as error:
                report.check(title, f"{type(error).__name__}: {str(error)[:300]}")
                continue
            took = time.monotonic() - player.began
            print(f"{title}: {player.steps} steps, {took:.1f} s", flush=True)
            report.check(f"{title}, steps", player.steps if player.steps > most else None)
            report.check(f"{title}, seconds", round(took) if took > seconds else None)
