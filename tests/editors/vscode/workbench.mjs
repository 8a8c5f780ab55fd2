/** What a person does in VS Code, by the names a person would use. Every wait is for a condition, and bounded. */
import * as path from 'node:path';

const LIMIT = 15_000;

export class Workbench {
  /** @param page a browser page @param images the folder screenshots go to */
  constructor(page, images) {
    this.page = page;
    this.images = images;
    page.setDefaultTimeout(LIMIT);
  }

  static async open(browser, address, folder, images) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const workbench = new Workbench(page, images);
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor();
    return workbench;
  }

  async openFile(name) {
    await this.page.getByRole('treeitem', { name }).first().dblclick();
    await this.tab(name).and(this.page.locator('.active')).waitFor();
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  /** Reloads the window, as Developer: Reload Window does. Tabs come back only if they were saved: see `tabIsSaved`. */
  async reload() {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 4 * LIMIT });
  }

  /**
   * Waits until VS Code has saved a tab with `text` in its description. In a browser it saves every few
   * seconds, not when the page is left.
   */
  async tabIsSaved(text) {
    for (const end = Date.now() + 4 * LIMIT; ; ) {
      // `waitForFunction` does not await an asynchronous predicate, so the polling is done here.
      if (await this.page.evaluate(isSavedTab, text)) return;
      if (Date.now() > end) throw new Error(`VS Code has not saved a tab with ${text}`);
      await this.page.waitForTimeout(250);
    }
  }

  /** Lets the pipeline run that the trust question is about. */
  async allow(how = 'Run once') {
    await this.dialog('Run the pipeline').getByRole('button', { name: how }).click();
  }

  /** Moves the focus of a dialog to a button, by the keys that do so. */
  async focusButton(name) {
    for (let i = 0; i < 8; i += 1) {
      const focused = await this.page.evaluate(() => globalThis.document.activeElement?.textContent?.trim());
      if (focused === name) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  /** Picks an entry of the quick pick that is open. */
  async pick(text) {
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    const input = this.page.locator('.quick-input-widget input');
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    // The list of a palette that was opened before the extension was known does not change.
    for (const end = Date.now() + LIMIT; ; ) {
      await this.pressFor('F1', input);
      await input.fill(`>${title}`);
      try {
        await row.waitFor({ timeout: 3000 });
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
    await this.page.keyboard.press('Enter');
  }

  /** Presses a key until `target` shows, as people do when a busy editor swallows the first one. */
  async pressFor(key, target) {
    for (const end = Date.now() + LIMIT; ; ) {
      await this.page.keyboard.press(key);
      try {
        return await target.first().waitFor({ timeout: 3000 });
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Puts the cursor behind the first `text` of the file, and `further` characters on. */
  async cursorAt(text, further = 0) {
    await this.page.keyboard.press('Control+1');
    const input = this.page.locator('.find-widget textarea').first();
    await this.pressFor('Control+f', input);
    await input.fill(text);
    // A narrow editor hides the count, and counts all the same.
    await this.page.locator('.find-widget .matchesCount').filter({ hasText: /of [1-9]/ }).waitFor({ state: 'attached' });
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('ArrowRight');
    for (let i = 0; i < further; i += 1) await this.page.keyboard.press('ArrowRight');
  }

  /** A visible line of an editor that holds `text`. */
  line(text) {
    // The editor writes its blanks as no-break spaces.
    return this.page.locator('.view-line').filter({ hasText: new RegExp(pattern(text)) });
  }

  lens(title) {
    return this.page.locator('.codelens-decoration a').filter({ hasText: title });
  }

  /** Clicks a lens over the first graph, with the editor rolled to its top: there it may hide under the tabs. */
  async clickLens(title) {
    await this.page.locator('.editor-instance').first().hover();
    await this.page.mouse.wheel(0, -10_000);
    await this.lens(title).first().click();
  }

  /** Waits until the lenses of the active editor show a run. Until then those of the time before it are there. */
  async runBegins() {
    await this.lens('■ Cancel').first().waitFor();
  }

  /** Waits until the lenses of the active editor show that the run has ended; only after `runBegins`. */
  async runEnds() {
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

  /** Waits for the mark of a node state in the margin. */
  async marked(state) {
    // The browser loads the picture through the server, which may have its path encoded: `%2Fgutter%2Ffailed.svg`.
    const drawn = (picture) =>
      [...globalThis.document.querySelectorAll('.glyph-margin-widgets *, .margin-view-overlays *')].some((mark) =>
        new RegExp(picture, 'i').test(globalThis.getComputedStyle(mark).backgroundImage),
      );
    await this.page.waitForFunction(drawn, `(/|%2f)gutter(/|%2f)${state}\\.svg`, { timeout: 2 * LIMIT });
  }

  row(text) {
    return this.page.getByRole('treeitem').filter({ hasText: text });
  }

  status(text) {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  async shot(name) {
    await this.page.screenshot({ path: path.join(this.images, `vscode-${name}.png`) });
  }
}

/** In the page: whether the tabs that VS Code keeps in the browser's databases hold this text. */
async function isSavedTab(text) {
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
        if (String(tabs).includes(text)) return true;
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
