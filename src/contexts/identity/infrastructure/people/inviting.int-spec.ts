import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { eventually } from '#test/support/eventually.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { Organizations } from '../accounts/persistence/organizations.js';
import type { CollaboratorId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PASSWORD, PeopleWorld } from '../../testing/people-world.js';
import { SignInAndMailSettings } from '../identity-settings.js';

let world: PeopleWorld;
let owner: DashboardPerson;
beforeAll(async () => {
  world = await PeopleWorld.start();
  ({ person: owner } = await world.createEnrolledPerson());
});
afterAll(() => world.close());

/** Invites through the dashboard. @returns the status and the path of the invitation link, if it is displayed */
async function invite(by: DashboardPerson, email: string, role: string) {
  const answer = await by.post('/app/team/invitations', { email, role });
  const text = answer.status === 303 ? await by.shown(Promise.resolve(answer)) : await answer.text();
  const link = /id="link"[^>]*>([^<]+)</.exec(text)?.[1];
  return { status: answer.status, text, link: link && new URL(link).pathname };
}

async function idOf(email: string): Promise<string> {
  const [row] = await world.query<{ id: string }>('SELECT id FROM identity.collaborators WHERE email = $1', [
    email,
  ]);
  return row!.id;
}

const waitingForLocks = async () =>
  (
    await world.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length;

const roleOfInvitation = async (email: string) =>
  (await world.query<{ role: string }>('SELECT role FROM identity.invitations WHERE email = $1', [email]))[0]
    ?.role;

describe('An invitation of an Owner', () => {
  it('resists withdrawal and replacement by an Admin until it expires', async () => {
    const { person: admin, email } = await world.createEnrolledPerson('admin');
    expect((await invite(owner, email.toUpperCase(), 'owner')).status).toBe(409);
    await invite(owner, 'next@shop.example', 'owner');
    const [row] = await world.query<{ id: string }>(
      "SELECT id FROM identity.invitations WHERE email = 'next@shop.example'",
    );

    const replaced = await invite(admin, 'next@shop.example', 'viewer');
    const withdrawn = await admin.post(`/app/team/invitations/${row!.id}/withdraw`);

    expect([replaced.status, withdrawn.status]).toEqual([400, 400]);
    expect(await roleOfInvitation('next@shop.example')).toBe('owner');
    await world.query('UPDATE identity.invitations SET expires_at = platform.now() WHERE id = $1', [row!.id]);
    expect((await invite(admin, 'next@shop.example', 'viewer')).status).toBe(303);
    expect(await roleOfInvitation('next@shop.example')).toBe('viewer');
  });
});

describe('An invitation', () => {
  it('grants nothing if its inviter is demoted during the acceptance', async () => {
    const { email, person: inviter } = await world.createEnrolledPerson('admin');
    const { link } = await invite(inviter, 'raced@shop.example', 'viewer');
    const app = world.api.app;

    const answer = await app.get(UnitOfWork).run(async () => {
      await app.get(Organizations).lockOrganizationRow(world.organizationId);
      const accepting = world.openBrowser().post(link!, { name: 'Eve', password: PASSWORD });
      await eventually(waitingForLocks, (waiting) => waiting > 0);
      await app.get(ChangeCollaborator).change({
        organizationId: world.organizationId,
        collaboratorId: (await idOf(email)) as CollaboratorId,
        role: 'viewer',
        managerRole: 'operator',
        actor: 'test',
      });
      return { accepting };
    });

    expect((await answer.accepting).status).toBe(404);
  });

  it.each([
    ['loses the role', 'admin', 'viewer', { role: 'viewer', enabled: 'on' }],
    ['is disabled', 'admin', 'viewer', { role: 'admin' }],
    ['is no longer an Owner', 'owner', 'owner', { role: 'admin', enabled: 'on' }],
  ] as const)('ends if its inviter %s', async (why, inviterRole, role, change) => {
    const { email, person: inviter } = await world.createEnrolledPerson(inviterRole);
    const { link } = await invite(inviter, `${why.replaceAll(' ', '-')}@shop.example`, role);
    expect((await world.openBrowser().get(link!)).status).toBe(200);

    expect((await owner.post(`/app/team/${await idOf(email)}`, change)).status).toBe(303);

    const accepted = await world.openBrowser().post(link!, { name: 'Eve', password: PASSWORD });
    expect([accepted.status, (await world.openBrowser().get(link!)).status]).toEqual([404, 404]);
  });

  it('depends on the person who sent it last', async () => {
    const [first, last] = [
      await world.createEnrolledPerson('admin'),
      await world.createEnrolledPerson('admin'),
    ];
    await invite(first.person, 'twice@shop.example', 'viewer');
    const { link } = await invite(last.person, 'twice@shop.example', 'viewer');
    const open = async () => (await world.openBrowser().get(link!)).status;
    const demote = async (email: string) =>
      owner.post(`/app/team/${await idOf(email)}`, { role: 'viewer', enabled: 'on' });

    await demote(first.email);
    const kept = await open();
    await demote(last.email);

    expect([kept, await open()]).toEqual([200, 404]);
  });

  it('reveals only by email that the address belongs to another organization', async () => {
    const { organization } = await world.api.createOrganization('Others');
    const { email, person: stranger } = await world.createEnrolledPerson('owner', organization.id);
    const shapeOf = ({ status, text }: Awaited<ReturnType<typeof invite>>, of: string) => [
      status,
      text
        .replaceAll(of, '')
        .replaceAll(/[A-Za-z0-9_-]{43}|[0-9a-f-]{36}|datetime="[^"]*"|title="[^"]*"/g, ''),
    ];
    Object.assign(world.api.app.get(SignInAndMailSettings), { smtpUrl: 'smtp://127.0.0.1:9' });

    const elsewhere = await invite(owner, email, 'viewer');
    await owner.post(`/app/team/invitations/${await invitationOf(email)}/withdraw`);
    const nowhere = await invite(owner, 'new@shop.example', 'viewer');

    expect(shapeOf(elsewhere, email)).toEqual(shapeOf(nowhere, 'new@shop.example'));
    expect(elsewhere.link).toBeUndefined();
    const id = await invitationOf('new@shop.example');
    expect((await stranger.post(`/app/team/invitations/${id}/withdraw`)).status).toBe(404);
    expect(await invitationOf('new@shop.example')).toBe(id);
    expect(await stranger.text('/app/team')).not.toContain('new@shop.example');
    const linked = async (to: string) => (await mailsTo(to)).map((body) => body.includes('/app/invitation/'));
    expect([await linked(email), await linked('new@shop.example')]).toEqual([[true, false], [true]]);
    Object.assign(world.api.app.get(SignInAndMailSettings), { smtpUrl: undefined });
  });
});

// These tests come last, because they advance the clock until the first owner's second factor is no longer fresh.
describe('A fresh second factor', () => {
  it('allows invitations for ten minutes, and does not extend the session when it is renewed', async () => {
    const { email, person, recoveryCodes } = await world.createEnrolledPerson();
    const ends = () =>
      world.query(
        `SELECT s.expires_at FROM identity.dashboard_sessions s JOIN identity.collaborators c ON c.id = s.collaborator_id
         WHERE s.stage = 'signed_in' AND c.email = $1`,
        [email],
      );
    const send = async (to: string, code?: string) => {
      const form = { email: `${to}@shop.example`, role: 'owner', ...(code !== undefined && { code }) };
      const { status } = await person.post('/app/team/invitations', form);
      return [status, await roleOfInvitation(form.email)];
    };
    const before = await ends();
    await world.api.platform.advance(599);
    const fresh = await send('fresh');
    await world.api.platform.advance(2);

    expect(fresh).toEqual([303, 'owner']);
    expect(await send('stale')).toEqual([403, undefined]);
    expect(await send('stale', recoveryCodes[0])).toEqual([303, 'owner']);
    expect(await send('later')).toEqual([303, 'owner']);
    expect(await ends()).toEqual(before);
  });
});

const invitationOf = async (email: string) =>
  (await world.query<{ id: string }>('SELECT id FROM identity.invitations WHERE email = $1', [email]))[0]!.id;

/** Bodies of the invitation mails, oldest first. */
const mailsTo = async (email: string) =>
  (
    await world.query<{ body: string }>(
      "SELECT body FROM identity.outgoing_mails WHERE recipient = $1 AND subject LIKE 'Invitation%' ORDER BY id",
      [email],
    )
  ).map(({ body }) => body);
