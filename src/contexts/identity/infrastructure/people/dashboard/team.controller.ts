import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { CollaboratorId, InvitationId } from '#shared/kernel/ids.js';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { Invitations } from '#contexts/identity/application/people/invitations.js';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { Collaborators } from '#contexts/identity/domain/people/collaborator.js';
import { PeopleSettings } from '../../identity-settings.js';
import { teamPage, type TeamProps } from './pages/team-page.js';
import { CollaboratorForm, InviteForm } from './people.form.js';

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
  async list(
    @Query() { page }: DashboardPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, response, {}, page);
  }

  /**
   * Where mails are sent the link goes to the mailbox alone: who invites could try by it whether the address signs in
   * elsewhere. Elsewhere it is shown in the answer and nowhere again.
   */
  @DashboardAct('invite_person')
  @Post('invitations')
  async invite(
    @Body() { email = '', role = '' }: InviteForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    let link: string | undefined;
    const refusal = await refusalOf(async () => {
      const invited = { organizationId: visitor.organizationId, email, role, inviterRole: visitor.role };
      ({ link } = await this.inviteCollaborator.execute({ ...invited, ...by(visitor) }));
    });
    const handedOver = this.settings.smtpUrl === undefined ? link : undefined;
    const shown = refusal === undefined ? { invited: email, link: handedOver } : { refusal, email, role };
    await this.send(visitor, response, shown, 1, refusal?.status);
  }

  @DashboardAct('withdraw_invitation')
  @Post('invitations/:id/withdraw')
  async withdraw(
    @Param('id', new UuidParam('invitation')) id: InvitationId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { organizationId, role } = visitor;
    const refusal = await refusalOf(() =>
      this.inviteCollaborator.withdraw(organizationId, id, role, by(visitor)),
    );
    await this.answer(visitor, response, refusal);
  }

  @DashboardAct('change_person')
  @Post(':id')
  async change(
    @Param('id', new UuidParam('collaborator')) collaboratorId: CollaboratorId,
    @Body() { role = '', enabled }: CollaboratorForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const of = { organizationId: visitor.organizationId, collaboratorId, managerRole: visitor.role };
      await this.changeCollaborator.execute({ ...of, role, enabled: enabled === 'on', ...by(visitor) });
    });
    await this.answer(visitor, response, refusal);
  }

  private async answer(
    visitor: DashboardVisitor,
    response: Response,
    refusal: (TeamProps['refusal'] & { status?: number }) | undefined,
  ) {
    if (refusal === undefined) response.redirect(303, '/app/team');
    else await this.send(visitor, response, { refusal }, 1, refusal.status);
  }

  private async send(
    visitor: DashboardVisitor,
    response: Response,
    shown: Pick<TeamProps, 'refusal' | 'email' | 'role' | 'invited' | 'link'>,
    page: number,
    status = 200,
  ): Promise<void> {
    const paging = { page, pageSize: PAGE_SIZE };
    const [found, invitations] = await Promise.all([
      this.collaborators.list(visitor.organizationId, paging),
      this.invitations.list(visitor.organizationId),
    ]);
    sendDashboardPage(response, teamPage({ visitor, ...paging, ...found, invitations, ...shown }), status);
  }
}

function by({ email, address }: DashboardVisitor) {
  return { actor: email, address };
}
