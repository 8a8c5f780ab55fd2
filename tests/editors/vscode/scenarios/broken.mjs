/** A program other than a language server: it ends at its start. */

export function broken({ workbench: w }) {
  return [
    ['a server that ends at its start is reported with what to do', async () => {
      await w.openFile('small.dot');
      const message = w.toast('did not start');
      await message.waitFor({ timeout: 60_000 });
      for (const name of ['Show Output', 'Set Path…', 'Restart Server']) await message.getByRole('button', { name }).waitFor();
      await w.shot('server-broken');
    }],
  ];
}
