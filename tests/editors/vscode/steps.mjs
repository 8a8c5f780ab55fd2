/** Plays named steps one after the other and counts them, in the words `./test` reads. */

/**
 * A scenario that fails is played once more from its beginning: a browser, an editor and a server that
 * share a busy machine lose a click now and then. What is wrong with the product fails both times, and
 * a first try that failed is told in the output either way.
 */
const TRIES = 2;

export class Steps {
  passed = 0;
  failures = [];
  #again = [];
  #began = Date.now();

  /**
   * Sets a scenario up and plays it; with `ATTRACTOR_SCENARIO=TEXT` only if its name contains the text.
   *
   * @param name what the scenario shows
   * @param stage makes a fresh editor and calls `play(steps, onFailure)` in it, which tells whether all passed
   */
  async scenario(name, stage) {
    if (!name.includes(process.env.ATTRACTOR_SCENARIO ?? '')) return;
    for (let trial = 1; ; trial += 1) {
      console.log(trial === 1 ? `# ${name}` : `# ${name}, once more`);
      let played = { passed: 0, failure: 'its editor' };
      try {
        await stage(async (steps, onFailure) => (played = await this.#play(steps, onFailure)));
      } catch (error) {
        // The stage itself fell: no editor, no browser, or one that did not end.
        played.failure ??= 'its editor';
        console.log(`FAIL ${this.#clock()}  ${played.failure}\n${indent(error)}`);
      }
      if (played.failure && trial < TRIES) {
        this.#again.push(`${name}: ${played.failure}`);
        continue;
      }
      this.passed += played.passed;
      if (played.failure) this.failures.push(`${name}: ${played.failure}`);
      return;
    }
  }

  /** Prints the sum; tells whether all is well. */
  finish(alsoPassed) {
    for (const step of this.#again) console.log(`vscode: tried twice because of: ${step}`);
    console.log(`vscode: ${this.passed + alsoPassed} passed, ${this.failures.length} failed`);
    return this.failures.length === 0;
  }

  /** Steps build upon each other: after one fails the rest is left out. */
  async #play(steps, onFailure) {
    let passed = 0;
    for (const [step, action] of steps) {
      try {
        await action();
        passed += 1;
        console.log(`ok   ${this.#clock()}  ${step}`);
      } catch (error) {
        console.log(`FAIL ${this.#clock()}  ${step}\n${indent(error)}`);
        await onFailure();
        return { passed, failure: step };
      }
    }
    return { passed, failure: undefined };
  }

  #clock() {
    return `${((Date.now() - this.#began) / 1000).toFixed(1)} s`.padStart(7);
  }
}

function indent(error) {
  const plain = String(error?.message ?? error).replace(/\u001b\[[\d;]*m/g, '');
  return plain.split('\n').slice(0, 12).map((line) => `       ${line}`).join('\n');
}
