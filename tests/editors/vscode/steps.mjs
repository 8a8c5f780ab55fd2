/** Runs named steps one after the other and counts them, in the words `./test` reads. */

export class Steps {
  passed = 0;
  failures = [];
  #began = Date.now();

  /** Steps build upon each other: after one fails the rest of its scenario is skipped. */
  async scenario(name, steps, onFailure) {
    console.log(`# ${name}`);
    for (const [step, action] of steps) {
      try {
        await action();
        this.passed += 1;
        console.log(`ok   ${this.#clock()}  ${step}`);
      } catch (error) {
        this.failures.push(`${name}: ${step}`);
        console.log(`FAIL ${this.#clock()}  ${step}\n${indent(String(error?.message ?? error))}`);
        await onFailure?.();
        return;
      }
    }
  }

  /** Prints the sum; tells whether all is well. */
  finish(alsoPassed) {
    console.log(`vscode: ${this.passed + alsoPassed} passed, ${this.failures.length} failed`);
    return this.failures.length === 0;
  }

  #clock() {
    return `${((Date.now() - this.#began) / 1000).toFixed(1)} s`.padStart(7);
  }
}

function indent(text) {
  const plain = text.replace(/\u001b\[[\d;]*m/g, '');
  return plain.split('\n').slice(0, 12).map((line) => `       ${line}`).join('\n');
}
