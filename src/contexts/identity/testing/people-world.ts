import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { Global, Module } from '@nestjs/common';
import { DashboardPerson } from '#test/support/dashboard-person.js';
import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { InviteCollaborator } from '../application/people/invite-collaborator.js';
import { PasswordHasher } from '../application/people/password-hasher.js';
import { WorkAfterResponse } from '../infrastructure/people/dashboard/visits.js';
import { SignInAndMailSettings } from '../infrastructure/identity-settings.js';
import { PeopleModule } from '../people.module.js';
import { IdentityApi, type TestLimits } from './identity-api.js';

export const PASSWORD = 'kettle harbour lantern seven';

@Global()
@Module({
  providers: [
    { provide: DashboardSettings, useValue: new DashboardSettings('https://pay.example') },
    {
      provide: SignInAndMailSettings,
      useValue: new SignInAndMailSettings({
        secretKeys: [{ id: 'test', secret: randomBytes(32) }],
        smtpUrl: undefined,
        mailFrom: 'payments@shop.example',
      }),
    },
  ],
  exports: [DashboardSettings, SignInAndMailSettings],
})
class TestPeopleSettings {}

/** People of one organization, the dashboard's routes, and their own database. Mails are stored but never sent. */
export class PeopleWorld {
  private invited = 0;

  private constructor(
    readonly api: IdentityApi,
    readonly organizationId: OrganizationId,
    readonly accountId: AccountId,
  ) {}

  static async start(limits: TestLimits = {}): Promise<PeopleWorld> {
    const api = await IdentityApi.start('development', limits, [TestPeopleSettings, PeopleModule]);
    // Each password at the cost of production takes 20 ms of CPU time. A hash names its own cost.
    api.app.get(PasswordHasher).hash = (password) => hash(password, { memoryCost: 64, timeCost: 1 });
    const { organization, account } = await api.createOrganization();
    return new PeopleWorld(api, organization.id, account.id);
  }

  close(): Promise<void> {
    return this.api.close();
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.api.platform.database.query<Row>(text, values);
  }

  openBrowser(): DashboardPerson {
    return new DashboardPerson(this.api.url);
  }

  async createUnenrolledPerson(
    role: CollaboratorRole = 'owner',
    organizationId = this.organizationId,
  ): Promise<{ email: string; person: DashboardPerson }> {
    const email = `${role}-${(this.invited += 1)}@shop.example`;
    const { link } = await this.api.app
      .get(InviteCollaborator)
      .invite({ organizationId, email, role, inviterRole: 'operator', actor: 'test', address: '' });
    const person = this.openBrowser();
    await person.post(new URL(link).pathname, { name: 'Anna Test', password: PASSWORD });
    return { email, person };
  }

  async createEnrolledPerson(
    ...of: Parameters<PeopleWorld['createUnenrolledPerson']>
  ): Promise<{ email: string; person: DashboardPerson; recoveryCodes: string[] }> {
    const { email, person } = await this.createUnenrolledPerson(...of);
    return { email, person, recoveryCodes: await person.enrol() };
  }

  waitForPendingWork(): Promise<void> {
    return this.api.app.get(WorkAfterResponse).beforeApplicationShutdown();
  }

  async resetLinks(email: string): Promise<string[]> {
    await this.waitForPendingWork();
    const mails = await this.query<{ body: string }>(
      "SELECT body FROM identity.outgoing_mails WHERE recipient = $1 AND subject = 'Reset your password' ORDER BY id",
      [email],
    );
    return mails.map(({ body }) => new URL(/https:\S+/.exec(body)![0]).pathname);
  }

  async factorsOf(email: string): Promise<number> {
    const [row] = await this.query<{ factors: number }>(
      `SELECT ((SELECT count(*) FROM identity.authenticators a WHERE a.collaborator_id = c.id)
         + (SELECT count(*) FROM identity.passkeys p WHERE p.collaborator_id = c.id))::integer AS factors
       FROM identity.collaborators c WHERE c.email = $1`,
      [email],
    );
    return row!.factors;
  }
}
