"""Tasks of a marketer's day, from an empty database on: with the keyboard alone, and by touch on a phone's width.

Each has the most steps that it may take. A step is a button, a link, a box, or a choice in a list. What is typed into a
field is none, nor is opening the navigation or the filters on a phone. The seconds that it should take are those of a
release program on a quiet machine: they are printed beside those of this run, and fail nothing, because here the program is
an unoptimised one beside other browsers. A page that shows nothing of what is waited for in three minutes fails.
"""
import contextlib
import re
import time

import browsers
from site_pages import SAMPLES, run

SAMPLE = "launch-events.csv.gz"
APP = "525463029"
TABLE = """value,coarse,event,revenue from,revenue to,worth,hours from,hours to
0,low,,,,,,
1,low,purchase,0.01,5,,0,24
2,medium,purchase,5,20,,0,24
3,high,purchase,20,,40,0,24
"""


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

    def press(self, words):
        """A button or a link that begins with these words."""
        self.push(f'//main//*[self::a or self::button][starts-with(normalize-space(), "{words}")]')
        self.steps += 1

    def go(self, page):
        """A page of the navigation, which can be behind its button."""
        self.show_menu()
        if page not in ("Overview", "Campaigns", "Why it moved", "Mappings", "Data in", "Health", "Access"):
            self.push("//nav[contains(@class, 'nav')]//summary")
        self.push(f"//nav[contains(@class, 'nav')]//a[normalize-space()='{page}']")
        self.steps += 1

    def show_more(self):
        """Opens or closes the filters that are rarely needed."""
        self.push("//main//summary[normalize-space()='More']")

    def pick(self, field, word):
        self.choose(f"//select[{self.labelled(field)}]", word)
        self.steps += 1

    def fill(self, field, text):
        self.write(f"//input[{self.labelled(field)}]", text)

    @staticmethod
    def labelled(field):
        return f"@id=//label[starts-with(normalize-space(), '{field}')]/@for or @aria-label='{field}'"

    def confirm(self):
        """Checks each box that a publication asks for."""
        for number in range(self.count("//input[@name='ack']")):
            self.check(f"(//input[@name='ack'])[{number + 1}]")
            self.steps += 1

    def sees(self, pattern, seconds=180):
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
        page.set_default_timeout(120_000)

    def open(self, url):
        try:
            self.page.goto(url)
        except Exception as error:
            # The page that a choice before asked for came in between: its form is sent a moment after the choice.
            if "ERR_ABORTED" not in str(error):
                raise
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
        self.page.keyboard.press("Space")
        for _ in range(abs(wanted - now)):
            self.page.keyboard.press("ArrowDown" if wanted > now else "ArrowUp")
        self.page.keyboard.press("Enter")


class Phone(Keyboard):
    """Chromium on a phone: a finger, and a keyboard on the screen."""

    def show_menu(self):
        menu = self.page.locator("summary", has_text="Menu").first
        if menu.is_visible():
            menu.tap()

    def show_more(self):
        pass  # A choice opens what it is folded into.

    def push(self, path):
        self.page.locator(f"xpath={path}").locator("visible=true").first.tap()

    def check(self, path):
        self.page.locator(f"xpath={path}").first.tap()

    def opened(self, path):
        """A field, after what it is folded into is open."""
        element = self.page.locator(f"xpath={path}").first
        element.wait_for(state="attached")
        folded = self.page.locator("details:not([open])", has=element)
        while folded.count():
            folded.first.locator("summary").first.tap()
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
        end = time.monotonic() + 120
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
        # The driver leaves out the ends of lines, which are a key as others are.
        element.send_keys(text.replace("\n", self.keys.ENTER))

    def choose(self, path, word):
        element = self.find(path)
        menu = self.select(element)
        name = next((option.text for option in menu.options if option.text.startswith(word)), None)
        if name is None:
            raise Lost(f"{self.address()}: {path} has no choice {word!r}")
        menu.select_by_visible_text(name)


@contextlib.contextmanager
def keyboard(site):
    with browsers.chromium() as browser:
        yield Keyboard(site, browser.new_page(viewport={"width": 1280, "height": 900}))


@contextlib.contextmanager
def phone(site):
    with browsers.chromium() as browser:
        yield Phone(site, browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True))


@contextlib.contextmanager
def webkit(site):
    with browsers.webkit() as driver:
        driver.set_window_size(1280, 900)
        yield WebKit(site, driver)


# The tasks in their order: those of the sample data first, then those of a database that begins empty.


def first_figures(player):
    player.begin("/")
    player.press("Look at sample data")
    player.sees(r"Sample data: no figure is real")
    player.sees(r"Estimated revenue\s+[\s\S]{0,40}[\d,]{3,}")


def campaigns_that_surely_lose(player):
    player.begin("/")
    player.go("Campaigns")
    player.press("✕ Surely loses")
    player.sees(r"✕ no")


def why_a_figure_moved(player):
    player.begin("/")
    player.go("Why it moved")
    player.sees(r"(Mapping or w|W)hat users pay[\s\S]*Together")


def compare_two_networks(player):
    player.begin("/arrived?app=6400000001")
    player.pick("Rows", "Network")
    player.press("Compare with")
    player.sees(r"Difference, B − A: \S+\s+\S+ … \S+")


def return_after_thirty_days(player):
    player.begin("/campaigns")
    player.show_more()
    player.pick("Revenue of the first", "30 days")
    player.show_more()
    player.pick("Currency", "USD")
    player.sees(r"All money in USD, of the first 30 days")


def what_losing_campaigns_lose_in_euros(player):
    player.begin("/")
    player.pick("Currency", "EUR")
    player.sees(r"All money in EUR")
    player.sees(r"does not pay back: [\d,.]+ EUR spent, about [\d,.]+ EUR earned")


def mapping_from_own_users(player):
    leave_the_sample(player)
    player.begin("/mappings")
    player.fill("App", APP)
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.pick("Users", SAMPLE)
    player.press("Propose from these users")
    player.sees(r"The proposal is ready")
    player.press("Use this mapping")
    player.sees(r"[Ss]aved")


def mapping_from_a_model(player):
    player.begin("/mappings")
    player.pick("Begin with", "Model: Revenue by day")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.press("Review and publish")
    player.sees(r"It becomes version")
    player.confirm()
    player.press("Publish version")
    player.sees(r"is published")


def one_range(player):
    # A version that is in force already, to compare with.
    run("mapping", "load", "--quiet", "--database", player.site.folder / "skan.db", SAMPLES / "launch-mapping.json")
    player.begin("/mappings")
    player.pick("Begin with", "Version 1")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.pick("Users", SAMPLE)
    player.sees(r"No difference that matters")
    player.steps, player.began = 0, time.monotonic()
    player.write("//*[@name='$.grids[0].revenue[2]']", "0.15")
    player.steps += 1
    player.sees(r"Campaign error falls by")


def publish_and_hand_over(player):
    player.begin("/mappings")
    player.press("Begin a draft")
    player.sees(r"0 errors")
    player.press("Review and publish")
    player.sees(r"It becomes version")
    player.steps, player.began = 0, time.monotonic()
    player.confirm()
    player.press("Publish version")
    player.sees(r"is published")
    player.press("Create a link")
    player.sees(r"/m/")


def view_of_one_app(player):
    player.begin("/")
    player.go("Access")
    player.fill("Name", "colleague")
    player.fill("Apps", APP)
    player.fill("Your own token", player.site.editor)
    player.press("Create token")
    player.sees(r"once")


def table_to_published_mapping(player):
    player.begin("/mappings")
    player.push("//main//summary[normalize-space()='Import a mapping']")
    player.steps += 1
    player.pick("Format", "table")
    # An app without a mapping: a change of one in force asks for more.
    player.write("//input[@id='i-app']", "1000000007")
    player.write("//textarea[@id='i-text']", TABLE)
    player.press("Import")
    player.sees(r"0 errors")
    player.press("Review and publish")
    player.sees(r"It becomes version")
    player.confirm()
    player.press("Publish version")
    player.sees(r"is published")


def leave_the_sample(player):
    player.begin("/")
    player.push("//button[normalize-space()='Leave the sample']")
    player.sees("No postback has arrived yet")


# Each with the most steps and seconds; the designer's time is its own.
TASKS = [(first_figures, 1, 10), (campaigns_that_surely_lose, 2, 10), (why_a_figure_moved, 2, 10),
         (compare_two_networks, 2, 10), (return_after_thirty_days, 2, 10),
         (what_losing_campaigns_lose_in_euros, 2, 3), (mapping_from_own_users, 4, 120),
         (mapping_from_a_model, 5, 60), (one_range, 1, 5), (publish_and_hand_over, 3, 30), (view_of_one_app, 3, 30),
         (table_to_published_mapping, 5, 60)]


def play(report, player, engine):
    """Plays the tasks one after the other."""
    player.sign_in(player.site.editor)
    for task, most, seconds in TASKS:
        title = f"task: {task.__name__.replace('_', ' ')}, {engine}"
        try:
            task(player)
        except Exception as error:
            report.check(title, f"{type(error).__name__}: {str(error)[:300]}")
            continue
        took = time.monotonic() - player.began
        print(f"{title}: {player.steps} of {most} steps, {took:.1f} of {seconds} s", flush=True)
        report.check(f"{title}, steps", player.steps if player.steps > most else None)
