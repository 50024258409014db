import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { CollaboratorId, InvitationId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionListQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { auditActorOf, handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { EMPTY_FORM, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { Pairings } from '../../persistence/pairings.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { Invitations } from '../persistence/invitations.js';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { Collaborators } from '../persistence/collaborators.js';
import { SignInAndMailSettings } from '../../identity-settings.js';
import { COLLABORATOR_FIELDS, INVITATION_FIELDS, teamPage, type TeamProps } from './team-page.js';

const PAGE_SIZE = 15;
const TEAM_PATH = '/app/team';
const INVITED_PATH = `${TEAM_PATH}?done=invited`;

@Controller('app/team')
export class TeamController {
  constructor(
    private readonly collaborators: Collaborators,
    private readonly invitations: Invitations,
    private readonly pairings: Pairings,
    private readonly inviteCollaborator: InviteCollaborator,
    private readonly changeCollaborator: ChangeCollaborator,
    private readonly settings: SignInAndMailSettings,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, done }: CompletedActionListQuery,
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const link = token && (await this.oneTimeSecretStore.consumeSecret(visitor.sessionId, TEAM_PATH, token));
    return showPage(await this.page(visitor, { done, link: link ?? undefined }, page));
  }

  /** Displayed only without a mail server, because the link would reveal whether the address signs in elsewhere. */
  @DashboardActionRoute('invite a person', 'manage', 'fresh', 'the person gets a role')
  @Post('invitations')
  invite(
    @FormBody(INVITATION_FIELDS) form: SubmittedForm<typeof INVITATION_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { email = '', role = '' } = form.typed;
    const again = (sent: SubmittedForm) => this.page(visitor, { sent });
    return handleFormSubmission(form, again, async () => {
      const invited = { organizationId: visitor.organizationId, email, role, inviterRole: visitor.role };
      const { link } = await this.inviteCollaborator.invite({ ...invited, ...auditActorOf(visitor) });
      if (this.settings.smtpUrl !== undefined) return seeOther(INVITED_PATH);
      return redirectToSecretPage(
        INVITED_PATH,
        await this.oneTimeSecretStore.storeSecret(visitor.sessionId, TEAM_PATH, link),
        response,
      );
    });
  }

  @DashboardActionRoute('withdraw an invitation', 'manage', 'none', 'removes access only')
  @Post('invitations/:id/withdraw')
  withdraw(
    @Param('id', new UuidParam('invitation')) id: InvitationId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { organizationId, role } = visitor;
    const again = (sent: SubmittedForm) => this.page(visitor, { sent });
    return handleFormSubmission(EMPTY_FORM, again, async () => {
      await this.inviteCollaborator.withdraw(organizationId, id, role, auditActorOf(visitor));
      return seeOther(`${TEAM_PATH}?done=withdrawn`);
    });
  }

  @DashboardActionRoute('change a person', 'manage', 'fresh', 'can add a role or restore access')
  @Post(':id')
  change(
    @Param('id', new UuidParam('collaborator')) collaboratorId: CollaboratorId,
    @FormBody(COLLABORATOR_FIELDS) form: SubmittedForm<typeof COLLABORATOR_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { role = '', enabled, devices } = form.typed;
    const again = (sent: SubmittedForm) => this.page(visitor, { sent });
    return handleFormSubmission(form, again, async () => {
      const of = { organizationId: visitor.organizationId, collaboratorId, managerRole: visitor.role };
      const change = { ...of, role, enabled: enabled === 'on', devices, ...auditActorOf(visitor) };
      await this.changeCollaborator.change(change);
      return seeOther(`${TEAM_PATH}?done=changed`);
    });
  }

  private async page(visitor: DashboardUser, shown: Pick<TeamProps, 'sent' | 'done' | 'link'>, page = 1) {
    const paging = { page, pageSize: PAGE_SIZE };
    const [found, invitations] = await Promise.all([
      this.collaborators.list(visitor.organizationId, paging),
      this.invitations.list(visitor.organizationId),
    ]);
    const people = found.items.map(({ id }) => id);
    const devices = await this.pairings.devicesPairedBy(visitor.organizationId, people);
    return teamPage({ visitor, ...paging, ...found, devices, invitations, ...shown });
  }
}
