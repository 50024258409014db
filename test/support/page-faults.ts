import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose outcome a theme changes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The wide view shows everything that the narrow one does. */
const VIEWS: readonly ['light' | 'dark', number, string[]?][] = [
  ['light', 360],
  ['light', 1280],
  ['dark', 1280, OF_COLOURS],
];

/** Collects what axe-core finds wrong in any theme and width, and whether a small phone has to scroll sideways. */
export async function pageFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  await page.evaluate(AXE);
  for (const [colorScheme, width, rules] of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const { violations, passes } = await page.evaluate(async (runOnly) => {
      const options = { resultTypes: ['violations' as const], ...(runOnly && { runOnly }) };
      return (window as unknown as { axe: typeof axe }).axe.run(options);
    }, rules);
    if (passes.length < (rules === undefined ? 10 : 1)) found.push('axe did not look');
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${width}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (tooWide > 0) found.push(`${tooWide} px too wide for a small phone`);
  // People go on in the window that they had.
  if (before !== null) await page.setViewportSize(before);
  return found;
}
