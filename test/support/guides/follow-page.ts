import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuideShell } from './guide-shell.js';
import { stepsOf, type RunStep } from './guide-steps.js';
import { ShownOutput } from './shown-output.js';

export const GUIDES = join(process.cwd(), 'docs/guides');

/**
 * Does what a page says, in a terminal. @param folder where the reader saves programs
 * @throws Error naming the line of the page that is not true
 */
export async function followPage(page: string, folder: string, shell: GuideShell): Promise<void> {
  const output = new ShownOutput();
  for (const step of stepsOf(readFileSync(join(GUIDES, page), 'utf8'))) {
    if (step.kind === 'write') writeFileSync(join(folder, step.file), step.text);
    else await runStep(shell, output, step, page);
  }
  await shell.end();
}

async function runStep(
  shell: GuideShell,
  output: ShownOutput,
  { line, script, shown }: RunStep,
  page: string,
) {
  const at = `docs/guides/${page}, line ${shown?.line ?? line}`;
  const printed = await shell.run(script).catch((error: Error) => {
    throw new Error(`docs/guides/${page}, line ${line}: ${error.message}`);
  });
  const difference = output.difference(shown?.text ?? '', printed);
  if (difference !== undefined) throw new Error(`${at}: ${difference}. All that was printed:\n${printed}`);
}
