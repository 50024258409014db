import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { CollaboratorId, InvitationId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { actedBy, answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { BUTTON, type SentForm } from '#shared/web/dashboard/form-fields.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { Invitations } from '#contexts/identity/application/people/invitations.js';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { Collaborators } from '#contexts/identity/domain/people/collaborator.js';
import { PeopleSettings } from '../../identity-settings.js';
import { COLLABORATOR, INVITATION, teamPage, type TeamProps } from './team-page.js';

const PAGE_SIZE = 50;

@Controller('app/team')
export class TeamController {
  constructor(
    private readonly collaborators: Collaborators,
    private readonly invitations: Invitations,
    private readonly inviteCollaborator: InviteCollaborator,
    private readonly changeCollaborator: ChangeCollaborator,
    private readonly settings: PeopleSettings,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() { page }: DashboardPageQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.page(visitor, {}, page));
  }

  /**
   * Where mails are sent the link goes to the mailbox alone: who invites could try by it whether the address signs in
   * elsewhere. Elsewhere it is shown in the answer and nowhere again.
   */
  @DashboardAct('invite_person')
  @Post('invitations')
  invite(
    @FormBody(INVITATION) form: SentForm<typeof INVITATION>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { email = '', role = '' } = form.typed;
    const again = (sent: SentForm) => this.page(visitor, { sent });
    return answerForm(form, again, async () => {
      const invited = { organizationId: visitor.organizationId, email, role, inviterRole: visitor.role };
      const { link } = await this.inviteCollaborator.execute({ ...invited, ...actedBy(visitor) });
      const isHandedOver = this.settings.smtpUrl === undefined;
      return showPage(await this.page(visitor, { invited: email, link: isHandedOver ? link : undefined }));
    });
  }

  @DashboardAct('withdraw_invitation')
  @Post('invitations/:id/withdraw')
  withdraw(
    @Param('id', new UuidParam('invitation')) id: InvitationId,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { organizationId, role } = visitor;
    const again = (sent: SentForm) => this.page(visitor, { sent });
    return answerForm(BUTTON, again, async () => {
      await this.inviteCollaborator.withdraw(organizationId, id, role, actedBy(visitor));
      return seeOther('/app/team');
    });
  }

  @DashboardAct('change_person')
  @Post(':id')
  change(
    @Param('id', new UuidParam('collaborator')) collaboratorId: CollaboratorId,
    @FormBody(COLLABORATOR) form: SentForm<typeof COLLABORATOR>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { role = '', enabled } = form.typed;
    const again = (sent: SentForm) => this.page(visitor, { sent });
    return answerForm(form, again, async () => {
      const of = { organizationId: visitor.organizationId, collaboratorId, managerRole: visitor.role };
      const change = { ...of, role, enabled: enabled === 'on', ...actedBy(visitor) };
      await this.changeCollaborator.execute(change);
      return seeOther('/app/team');
    });
  }

  private async page(
    visitor: DashboardVisitor,
    shown: Pick<TeamProps, 'sent' | 'invited' | 'link'>,
    page = 1,
  ) {
    const paging = { page, pageSize: PAGE_SIZE };
    const [found, invitations] = await Promise.all([
      this.collaborators.list(visitor.organizationId, paging),
      this.invitations.list(visitor.organizationId),
    ]);
    return teamPage({ visitor, ...paging, ...found, invitations, ...shown });
  }
}
