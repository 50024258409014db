import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DashboardAct, DashboardEntry } from '#shared/platform/http/dashboard/dashboard-route.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/session-cookie.js';
import { AcceptInvitation } from '#contexts/identity/application/people/accept-invitation.js';
import { AcceptInvitationForm } from './people.form.js';
import { invitationPage } from './pages/entry-pages.js';
import { Visits } from './visits.js';

/** Reading the link uses nothing up: mail programs open it too. */
@Controller('app/invitation/:token')
export class InvitationController {
  constructor(
    private readonly accept: AcceptInvitation,
    private readonly visits: Visits,
  ) {}

  @DashboardEntry()
  @Get()
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    sendDashboardPage(response, invitationPage(await this.accept.read(token), {}));
  }

  @DashboardAct('accept_invitation')
  @Post()
  async join(
    @Param('token') token: string,
    @Body() { name = '', password = '' }: AcceptInvitationForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const session = await this.accept.execute({ token, name, password, ...this.visits.visitOf(request) });
      setSessionCookie(response, session.token);
      response.redirect(303, '/app/second-factor/enrol');
    });
    if (refusal !== undefined)
      sendDashboardPage(
        response,
        invitationPage(await this.accept.read(token), { refusal, name }),
        refusal.status,
      );
  }
}
