import { describe, expect, it } from '@jest/globals';
import { COLLABORATOR_ROLES, rolesWithPermission, roleName } from '#shared/kernel/dashboard-access.js';
import type {
  DashboardRouteMarker,
  SecondFactorRequirement,
} from '#shared/platform/http/dashboard/dashboard-route.js';
import { dashboardRoutes } from '../support/dashboard-routes.js';
import { expectTable } from '../support/docs-table.js';

const PAGE = 'docs/concepts/security.md';
const HEADER = ['to', 'forms', 'who may', 'second factor'];
const FACTORS: Record<SecondFactorRequirement, string> = {
  none: '',
  fresh: '**fresh**',
  each_time: '**each time**',
};

const forms = dashboardRoutes().filter(({ method }) => method !== 'GET');

function rowOf({ act, action }: DashboardRouteMarker): string[] {
  const paths = forms.filter(({ mark }) => mark?.act?.does === act!.does).map(({ path }) => `\`${path}\``);
  const roles = action === 'enter' ? [] : rolesWithPermission(action);
  const who =
    action === 'enter'
      ? 'anyone'
      : roles.length === COLLABORATOR_ROLES.length
        ? 'all roles'
        : roles.map(roleName).join(', ');
  return [act!.does, paths.join(', '), who, FACTORS[act!.factor]];
}

describe('The list of dashboard actions', () => {
  it('contains the action of each form', () => {
    expect(forms.filter(({ mark }) => mark?.act === undefined)).toEqual([]);
  });

  it(`is in the table of ${PAGE} (WRITE_DOCS=yes updates it)`, () => {
    const rows = new Map(forms.map(({ mark }) => rowOf(mark!)).map((row) => [row.join(), row]));

    expectTable(PAGE, '## Actions', [HEADER, ...rows.values()]);
  });
});

describe('The style guide of the dashboard', () => {
  it('is served in development only', () => {
    const has = (environment: 'development' | 'staging' | 'production') =>
      dashboardRoutes(environment).some(({ path }) => path === '/app/styleguide');

    expect([has('development'), has('staging'), has('production')]).toEqual([true, false, false]);
  });
});
