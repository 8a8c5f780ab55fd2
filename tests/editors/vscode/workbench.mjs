/** Actions and locators of the VS Code workbench. Every wait is for a condition and has a timeout. */
import * as path from 'node:path';

const LIMIT = 30_000;

export class Workbench {
  /** What was shown that names an option of a command line, as in `pass --input`: an editor has none. */
  messagesWithOptions = new Set();

  /** @param page a browser page @param images the folder screenshots go to */
  constructor(page, images) {
    this.page = page;
    this.images = images;
    page.setDefaultTimeout(LIMIT);
  }

  static async open(browser, address, folder, images) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const workbench = new Workbench(page, images);
    await page.exposeFunction('reportOption', (message) => workbench.messagesWithOptions.add(message));
    await page.addInitScript(watchMessages);
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor();
    return workbench;
  }

  async openFile(name) {
    const active = this.tab(name).and(this.page.locator('.active'));
    // A file that is created meanwhile moves the rows: the second click may hit another one. A hover may cover them.
    for (const end = Date.now() + LIMIT; ; ) {
      try {
        await this.page.mouse.move(0, 0);
        await this.page.getByRole('treeitem', { name }).first().dblclick({ timeout: 5000 });
        await active.waitFor({ timeout: 3000 });
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  /** Reloads the window. Tabs are restored only if they were saved: see `tabsSaved`. */
  async reload() {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 4 * LIMIT });
  }

  /**
   * Waits until VS Code has saved tabs with these texts in their descriptions. In a browser it saves every few
   * seconds, not when the page is left.
   */
  async tabsSaved(...texts) {
    for (const end = Date.now() + 4 * LIMIT; ; ) {
      // `waitForFunction` does not await an asynchronous predicate, so the polling is done here.
      if (await this.page.evaluate(areSavedTabs, texts)) return;
      if (Date.now() > end) throw new Error(`VS Code has not saved tabs with ${texts}`);
      await this.page.waitForTimeout(250);
    }
  }

  /** Answers the trust question of a pipeline. */
  async allow(how = 'Run once') {
    await this.dialog('Run the pipeline').getByRole('button', { name: how }).click();
  }

  /** Moves the focus of a dialog to a button with the Tab key. */
  async focusButton(name) {
    for (let i = 0; i < 8; i += 1) {
      const focused = await this.page.evaluate(() => globalThis.document.activeElement?.textContent?.trim());
      if (focused === name) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  /** Selects an item of the open quick pick. */
  async pick(text) {
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
  }

  /** Fills the input box with this title. */
  async inputBox(title, text) {
    const box = this.page.locator('.quick-input-widget').filter({ hasText: title });
    await box.waitFor();
    await box.locator('input').fill(text);
    await this.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  /** Selects an entry of the context menu of something. */
  async contextMenu(target, entry) {
    const item = this.page.locator('.monaco-menu .action-item').filter({ hasText: entry });
    await target.click({ button: 'right' });
    await item.first().click();
    const hidden = (timeout) => item.first().waitFor({ state: 'hidden', timeout });
    // A click on a menu that is still opening only moves the focus there.
    await hidden(1000).catch(() => this.page.keyboard.press('Enter'));
    await hidden();
  }

  /** Runs a command until `target` is visible: problems that are reported meanwhile end a request for code actions. */
  async commandFor(title, target) {
    await this.#until(target, () => this.command(title));
  }

  /** The first entry of the command palette for a text. */
  async firstCommand(text) {
    const rows = await this.#openPalette(text);
    const label = await rows.first().getAttribute('aria-label');
    await this.page.keyboard.press('Escape');
    return label;
  }

  /** Runs a command by its title from the command palette. */
  async command(title) {
    await this.#openPalette(title);
    await this.page.keyboard.press('Enter');
  }

  /** Opens the command palette with the commands of this title; returns its rows. */
  async #openPalette(title) {
    const input = this.page.locator('.quick-input-widget input');
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    // A palette that was opened before the extension was loaded does not list its commands.
    for (const end = Date.now() + LIMIT; ; ) {
      await this.pressFor('F1', input);
      await input.fill(`>${title}`);
      try {
        await rows.filter({ hasText: title }).first().waitFor({ timeout: 3000 });
        return rows;
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Presses a key until `target` is visible: a busy editor may drop a key press. */
  async pressFor(key, target) {
    await this.#until(target, () => this.page.keyboard.press(key));
  }

  async #until(target, action) {
    for (const end = Date.now() + LIMIT; ; ) {
      await action();
      try {
        return await target.first().waitFor({ timeout: 3000 });
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Moves the cursor to the end of the first `text` in the file, and `further` characters to the right. */
  async cursorAt(text, further = 0) {
    await this.page.keyboard.press('Control+1');
    const input = this.page.locator('.find-widget textarea').first();
    await this.pressFor('Control+f', input);
    await input.fill(text);
    // A narrow editor hides the count.
    await this.page.locator('.find-widget .matchesCount').filter({ hasText: /of [1-9]/ }).waitFor({ state: 'attached' });
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('ArrowRight');
    for (let i = 0; i < further; i += 1) await this.page.keyboard.press('ArrowRight');
  }

  /** A visible editor line that contains `text`. */
  line(text) {
    // The editor renders spaces as no-break spaces.
    return this.page.locator('.view-line').filter({ hasText: new RegExp(pattern(text)) });
  }

  lens(title) {
    return this.page.locator('.codelens-decoration a').filter({ hasText: title });
  }

  /** Scrolls the editor to the top, where a code lens may be hidden under the tabs, and clicks it. */
  async clickLens(title) {
    await this.page.locator('.editor-instance').first().hover();
    await this.page.mouse.wheel(0, -10_000);
    const lens = this.lens(title).first();
    await this.drawn(lens);
    await lens.click();
  }

  /**
   * Waits until an element is no longer drawn again: a click is lost when the one that the button went down on is gone
   * before it comes up.
   */
  async drawn(locator) {
    for (let tries = 0; tries < 50; tries++) {
      const element = await locator.elementHandle();
      await this.page.waitForTimeout(200);
      if (await element.evaluate((node) => node.isConnected)) return;
    }
    throw new Error(`${locator} is drawn again all the time`);
  }

  /** Waits until the code lenses show the run; until then they show the state before it. */
  async runStarted() {
    await this.lens('■ Cancel').first().waitFor();
  }

  /** Waits until the code lenses show that the run has ended; call `runStarted` first. */
  async runEnded() {
    await this.lens('▶ Run pipeline').first().waitFor();
  }

  squiggle(kind = 'error') {
    return this.page.locator(`.squiggly-${kind}`);
  }

  toast(text) {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  dialog(text) {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  thread(text) {
    return this.page.locator('.review-widget').filter({ hasText: text });
  }

  tab(name) {
    return this.page.getByRole('tab', { name });
  }

  /** A button in the title bar of the active editor. */
  titleButton(name) {
    return this.page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name });
  }

  /** Waits for the gutter icon of a node state, on `wanted` lines if a number is given. */
  async gutterIcon(state, wanted) {
    // The URL of the icon may have an encoded path: `%2Fgutter%2Ffailed.svg`.
    const drawn = ({ picture, wanted }) => {
      const marks = [...globalThis.document.querySelectorAll('.glyph-margin-widgets *, .margin-view-overlays *')].filter((mark) =>
        new RegExp(picture, 'i').test(globalThis.getComputedStyle(mark).backgroundImage),
      );
      return wanted === undefined ? marks.length > 0 : marks.length === wanted;
    };
    await this.page.waitForFunction(drawn, { picture: `(/|%2f)gutter(/|%2f)${state}\\.svg`, wanted }, { timeout: 2 * LIMIT });
  }

  row(text) {
    return this.page.getByRole('treeitem').filter({ hasText: text });
  }

  status(text) {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  async shot(name) {
    await this.page.screenshot({ path: path.join(this.images, `vscode-${name}.png`), animations: 'disabled' });
  }

  /** A picture for the documentation, in the light and the dark theme. */
  async picture(name) {
    await this.shot(name);
    await this.#setColorScheme('dark');
    await this.shot(`${name}-dark`);
    await this.#setColorScheme('light');
  }

  async #setColorScheme(colorScheme) {
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`.monaco-workbench.${colorScheme === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
  }
}

/** Runs in each page: reports the messages that name an option of a command line. */
function watchMessages() {
  const messages = '.notification-toast, .monaco-dialog-box, .quick-input-widget, .statusbar-item, .monaco-hover, .markers-panel, #form';
  setInterval(() => {
    for (const shown of globalThis.document.querySelectorAll(messages)) {
      // The text of a hidden element contains that of its style sheets.
      const text = shown.checkVisibility() ? shown.innerText : '';
      if (/(^|[^\w-])--[a-z]/.test(text)) globalThis.reportOption(text);
    }
  }, 500);
}

/** Runs in the page: whether the tabs that VS Code saved to IndexedDB contain all of these texts. */
async function areSavedTabs(texts) {
  const { indexedDB } = globalThis;
  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    try {
      for (const named of database.objectStoreNames) {
        const table = database.transaction(named).objectStore(named);
        const tabs = await result(table.get('memento/workbench.parts.editor'));
        if (texts.every((text) => String(tabs).includes(text))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
}

function pattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ \\u00a0]');
}
