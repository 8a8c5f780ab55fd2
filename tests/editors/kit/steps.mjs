/** Runs named steps in sequence and prints their counts in the format `./test` reads. */

/**
 * A failed scenario is retried once from its beginning: on a busy machine a browser occasionally loses a click. An
 * error of the product fails both times, and a retry is reported either way.
 */
const TRIES = 2;

export class Steps {
  #suite;
  passed = 0;
  failures = [];
  #again = [];
  #began = Date.now();

  /** @param suite the name in the totals */
  constructor(suite) {
    this.#suite = suite;
  }

  /**
   * Runs a scenario; with `ATTRACTOR_SCENARIO=TEXT` only if its name contains the text.
   *
   * @param name the name of the scenario
   * @param stage starts what is tested and calls `play(steps, onFailure)`
   */
  async scenario(name, stage) {
    if (!name.includes(process.env.ATTRACTOR_SCENARIO ?? '')) return;
    for (let trial = 1; ; trial += 1) {
      console.log(trial === 1 ? `# ${name}` : `# ${name}, retry`);
      let played = { passed: 0, failure: 'its start' };
      try {
        await stage(async (steps, onFailure) => (played = await this.#play(steps, onFailure)));
      } catch (error) {
        // The program or the browser did not start or stop.
        played.failure ??= 'its start';
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

  /** Prints the totals; returns whether all steps passed. */
  finish(alsoPassed) {
    for (const step of this.#again) console.log(`${this.#suite}: retried because of: ${step}`);
    console.log(`${this.#suite}: ${this.passed + alsoPassed} passed, ${this.failures.length} failed`);
    return this.failures.length === 0;
  }

  /** Steps depend on each other: after a failure the rest is skipped. */
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
