import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { ApiClient } from '#test/support/api-client.js';
import {
  COLLABORATOR_ROLES,
  startPageOf,
  hasPermission,
  type CollaboratorRole,
} from '#shared/kernel/dashboard-access.js';
import { dashboardRoutes, type DashboardPath } from '../../support/dashboard-routes.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const routes = dashboardRoutes();
const named = (matches: (route: DashboardPath) => boolean) =>
  routes.filter(matches).map((route) => [`${route.method} ${route.path}`, route] as const);
const needsSession = ({ mark }: DashboardPath) => mark !== undefined && mark.action !== 'enter';
const isOfSignedIn = (route: DashboardPath) =>
  needsSession(route) && route.mark!.stages.includes('signed_in');
const isOfThing = (route: DashboardPath) => isOfSignedIn(route) && route.path.includes(':');

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';

/** Pages that are not the dashboard's own send these; a sibling of the domain sends the cookie with what it asks. */
const FOREIGN_HEADERS = [
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'null'],
] as const;

let service: TestService;
let operator: OperatorCommandRunner;
/** The ids belong to another organization, and stand by the beginning of the path. */
let foreignIds: Record<string, string>;
const cookies = new Map<CollaboratorRole, string>();
/** Owners who have passed only a part of the sign-in, and the page of their next step. */
const halfway = new Map<string, string>();
const STAGES = [
  ['enrolling', '/app/second-factor/enrol'],
  ['challenged', '/app/second-factor'],
] as const;

async function foreignThings(): Promise<Record<string, string>> {
  const run = <Data>(words: string, ...more: string[]) => operator.run<Data>(...words.split(' '), ...more);
  const named = await run<{ id: string; account_id: string }>('organization create --name Others');
  const { id: organization, account_id: account } = named;
  const {
    id: key,
    api_key,
    api_secret,
  } = await run<{ id: string; api_key: string; api_secret: string }>(
    'credential create --name Theirs --roles write --organization',
    organization,
  );
  const api = new ApiClient(service.apiUrl, { apiKey: api_key, apiSecret: api_secret });
  const hook = { url: 'http://127.0.0.1:9/hook', event_type: 'payment_request' };
  const { id: webhook } = await api.post<{ id: string }>(`/v1/account/${account}/webhook`, hook);
  const invite = ['owner', 'invite', '--organization', organization, '--email', 'them@others.example'];
  const { id: invitation } = await operator.run<{ id: string }>(...invite);
  await signedIn(service.query, organization, 'admin');
  const [person] = await service.query<{ id: string; session: string }>(
    `SELECT c.id, s.id AS session FROM identity.collaborators c JOIN identity.dashboard_sessions s ON s.collaborator_id = c.id
     WHERE c.organization_id = $1`,
    [organization],
  );
  return {
    '/app/accounts/': account,
    '/app/api-keys/': key,
    '/app/team/invitations/': invitation,
    '/app/team/': person!.id,
    '/app/account/sessions/': person!.session,
    '/app/account/passkeys/': MISSING,
    // Shown with another organization's in the tests of these pages.
    '/app/payments/': MISSING,
    '/app/refunds/': MISSING,
    '/app/links/': MISSING,
    // Its own tests show that one of another organization is not found.
    '/app/notices/': MISSING,
    '/app/points-of-sale/': MISSING,
    '/app/subscriptions/': MISSING,
    '/app/webhooks/': webhook,
  };
}

/** Each asks with a form's headers unless set otherwise, and gets the answer itself, wherever it leads. */
function ask(
  { method, path }: DashboardPath,
  cookie: string | undefined,
  id = MISSING,
  headers: Record<string, string> = OWN_FORM,
) {
  const url = service.apiUrl + path.replace(/:[a-zA-Z]+/g, id);
  return fetch(url, {
    method,
    headers: { ...(cookie === undefined ? {} : { cookie }), ...(method === 'POST' ? headers : {}) },
    redirect: 'manual',
  });
}

export function rolesSuite(shared: SharedService): void {
  describe('Roles in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
      for (const role of COLLABORATOR_ROLES)
        cookies.set(role, await signedIn(service.query, service.seed.organizationId, role));
      for (const [stage] of STAGES)
        halfway.set(stage, await signedIn(service.query, service.seed.organizationId, 'owner', stage));
      foreignIds = await foreignThings();
    });
    afterAll(async () => {
      await operator.close();
    });

    describe('Each route of the dashboard', () => {
      it('declares its purpose', () => {
        expect(routes.filter(({ mark }) => mark === undefined)).toEqual([]);
        expect(routes.length).toBeGreaterThan(30);
      });

      it.each(named(needsSession))('redirects strangers to the sign-in: %s', async (_, route) => {
        const invented = `__Host-dashboard_session=${randomBytes(32).toString('base64url')}`;
        const answer = await ask(route, route.method === 'GET' ? undefined : invented);

        expect([answer.status, answer.headers.get('location')]).toEqual([
          303,
          expect.stringMatching(/^\/app\/sign-in/),
        ]);
      });

      it.each(named(({ method }) => method === 'POST'))(
        'rejects a form of another site: %s',
        async (_, route) => {
          const [name, value] = FOREIGN_HEADERS[routes.indexOf(route) % FOREIGN_HEADERS.length]!;

          expect((await ask(route, cookies.get('owner'), MISSING, { [name]: value })).status).toBe(403);
        },
      );

      it.each(named(needsSession))(
        'redirects a person to the missing step of the sign-in: %s',
        async (_, route) => {
          for (const [stage, next] of STAGES) {
            if (route.mark!.stages.includes(stage)) continue;
            const answer = await ask(route, halfway.get(stage));

            expect([answer.status, answer.headers.get('location')]).toEqual([303, next]);
          }
        },
      );

      it.each(named(isOfSignedIn))(
        'accepts the last role that may, and rejects the first that may not: %s',
        async (_, route) => {
          const { action } = route.mark!;
          if (action === 'enter') return;
          const allowed = COLLABORATOR_ROLES.filter((role) => hasPermission(role, action)).at(-1)!;
          // A form may end the session that sends it.
          const cookie =
            route.method === 'GET'
              ? cookies.get(allowed)
              : await signedIn(service.query, service.seed.organizationId, allowed);
          expect([200, 303, 400, 404, 409]).toContain((await ask(route, cookie)).status);

          const refused = COLLABORATOR_ROLES.find((role) => !hasPermission(role, action));
          if (refused === undefined) return;
          const answer = await ask(route, cookies.get(refused));
          if (route.path === '/app')
            expect([answer.status, answer.headers.get('location')]).toEqual([303, startPageOf(refused)]);
          else
            expect([answer.status, await answer.text()]).toEqual([
              403,
              expect.stringContaining(action === 'manage_books' ? 'Owner' : 'Owner or Admin'),
            ]);
        },
      );

      it.each(named(isOfThing))('does not find a thing of another organization: %s', async (_, route) => {
        const beginning = Object.keys(foreignIds).find((start) => route.path.startsWith(start));
        if (beginning === undefined) throw new Error(`Add an id of another organization for ${route.path}.`);
        const cookie = await signedIn(service.query, service.seed.organizationId, 'owner');
        const answers = [];
        for (const id of [foreignIds[beginning]!, MISSING]) {
          const answer = await ask(route, cookie, id);
          answers.push([answer.status, (await answer.text()).replaceAll(id, '')]);
        }

        expect(answers[0]).toEqual(answers[1]);
        expect(answers[0]![0]).not.toBe(200);
      });
    });
  });
}
