import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { seeOther, setSessionCookie, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate } from '#shared/platform/http/callers/route-markers.js';
import { DashboardAct, DashboardEntry } from '#shared/platform/http/dashboard/dashboard-route.js';
import { answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import type { SentForm } from '#shared/web/dashboard/form-fields.js';
import { AcceptInvitation } from '#contexts/identity/application/people/accept-invitation.js';
import { invitationPage, JOIN_FIELDS } from './entry-pages.js';
import { RequestSources } from './visits.js';

/** Opening the link does not consume it, because mail programs open links too. */
@Controller('app/invitation/:token')
@OwnRate()
export class InvitationController {
  constructor(
    private readonly acceptInvitation: AcceptInvitation,
    private readonly visits: RequestSources,
    private readonly callers: PublicCallers,
  ) {}

  @DashboardEntry()
  @Get()
  async show(@Param('token') token: string, @Req() request: Request) {
    const invitation = await this.callers.runLimited(request, token, () =>
      this.acceptInvitation.readInvitation(token),
    );
    return showPage(invitationPage({ invitation }));
  }

  @DashboardAct('accept an invitation', 'enter', 'none', 'requires the link; enrolling follows')
  @Post()
  join(
    @Param('token') token: string,
    @FormBody(JOIN_FIELDS) form: SentForm<typeof JOIN_FIELDS>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { name = '', password = '' } = form.typed;
    const again = async (sent: SentForm) =>
      invitationPage({ invitation: await this.acceptInvitation.readInvitation(token), sent });
    return this.callers.runLimited(request, token, () =>
      answerForm(form, again, async () => {
        const visit = this.visits.sourceOf(request);
        const session = await this.acceptInvitation.accept({ token, name, password, ...visit });
        setSessionCookie(response, session.token);
        return seeOther('/app/second-factor/enrol');
      }),
    );
  }
}
