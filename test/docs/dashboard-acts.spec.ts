import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { COLLABORATOR_ROLES, rolesThatMay, shownRole } from '#shared/kernel/dashboard-access.js';
import {
  DASHBOARD_ACTS,
  type DashboardActName,
  type DashboardActRule,
  type FactorDemand,
} from '#shared/platform/http/dashboard/dashboard-acts.js';
import { dashboardRoutes } from '../support/dashboard-routes.js';

const PAGE = 'docs/concepts/security.md';
const HEADER = ['to', 'forms', 'who may', 'second factor'];
const FACTORS: Record<FactorDemand, string> = { none: '', fresh: '**fresh**', each_time: '**each time**' };

const acts = Object.entries(DASHBOARD_ACTS) as [DashboardActName, DashboardActRule][];
const forms = dashboardRoutes().filter(({ method }) => method !== 'GET');

function rowOf([name, { does, action, factor }]: [DashboardActName, DashboardActRule]): string[] {
  const paths = forms.filter(({ mark }) => mark?.act === name).map(({ path }) => `\`${path}\``);
  const roles = action === 'enter' ? [] : rolesThatMay(action);
  const who =
    action === 'enter'
      ? 'anyone'
      : roles.length === COLLABORATOR_ROLES.length
        ? 'all roles'
        : roles.map(shownRole).join(', ');
  return [does, paths.join(', '), who, FACTORS[factor]];
}

/** Prettier writes tables like this. */
function tableOf(rows: string[][]): string {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [header, ...others] = rows.map(line);
  return [header, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
}

describe('Each form of the dashboard', () => {
  it('declares the act that it does, and each act has a form', () => {
    const declared = forms.map(({ mark }) => mark?.act);

    expect(forms.filter(({ mark }) => mark?.act === undefined)).toEqual([]);
    expect([...new Set(declared)].sort()).toEqual(acts.map(([name]) => name).sort());
  });

  it(`is in the table of acts of ${PAGE}; WRITE_DOCS=yes updates it`, () => {
    const table = tableOf([HEADER, ...acts.map(rowOf)]);
    const page = readFileSync(PAGE, 'utf8');
    const written = /(?<=\n## Acts\n(?:[^|#]*\n)?)\|[^#]*\|(?=\n)/.exec(page)![0];
    if (process.env['WRITE_DOCS'] === 'yes')
      writeFileSync(
        PAGE,
        page.replace(written, () => table),
      );
    else expect(written).toBe(table);
  });
});

it('The style guide is a page of development alone', () => {
  const has = (environment: 'development' | 'staging' | 'production') =>
    dashboardRoutes(environment).some(({ path }) => path === '/app/styleguide');

  expect([has('development'), has('staging'), has('production')]).toEqual([true, false, false]);
});
