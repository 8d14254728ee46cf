"""What the browser lets run: the app's own, and nothing that came into the page with a text.

That the pages themselves keep to the policy is held by every journey: none has a console error.
"""

from playwright.sync_api import expect

from tests.journeys.browser_page import App

INJECTED = """
() => {
    const place = document.body.appendChild(document.createElement("div"));
    place.innerHTML = `<img src="data:," onerror="document.title = 'owned'">
        <a id="theirs" href="javascript:document.title='owned'">x</a>`;
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    place.append(script);
    document.getElementById("theirs").click();
}
"""


def test_a_script_that_was_injected_does_not_run(app: App):
    page = app.open("attention")
    page.evaluate(INJECTED)
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(page).not_to_have_title("owned")
    refused = [error for error in app.errors if "Content Security Policy" in error]
    assert len(refused) >= 3
    app.errors.clear()
