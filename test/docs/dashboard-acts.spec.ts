import { describe, expect, it } from '@jest/globals';
import { COLLABORATOR_ROLES, rolesThatMay, shownRole } from '#shared/kernel/dashboard-access.js';
import {
  DASHBOARD_ACTS,
  type DashboardActName,
  type DashboardActRule,
  type FactorDemand,
} from '#shared/platform/http/dashboard/dashboard-acts.js';
import { dashboardRoutes } from '../support/dashboard-routes.js';
import { expectTable } from '../support/docs-table.js';

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

describe('The list of dashboard actions', () => {
  it('contains the action of each form, and no other', () => {
    const declared = forms.map(({ mark }) => mark?.act);

    expect(forms.filter(({ mark }) => mark?.act === undefined)).toEqual([]);
    expect([...new Set(declared)].sort()).toEqual(acts.map(([name]) => name).sort());
  });

  it(`is in the table of ${PAGE} (WRITE_DOCS=yes updates it)`, () => {
    expectTable(PAGE, '## Actions', [HEADER, ...acts.map(rowOf)]);
  });
});

describe('The style guide of the dashboard', () => {
  it('is served in development only', () => {
    const has = (environment: 'development' | 'staging' | 'production') =>
      dashboardRoutes(environment).some(({ path }) => path === '/app/styleguide');

    expect([has('development'), has('staging'), has('production')]).toEqual([true, false, false]);
  });
});
