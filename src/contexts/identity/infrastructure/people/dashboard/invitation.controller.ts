import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { seeOther, setSessionCookie, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit } from '#shared/platform/http/callers/route-markers.js';
import {
  DashboardActionRoute,
  PublicDashboardRoute,
} from '#shared/platform/http/dashboard/dashboard-route.js';
import { handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { AcceptInvitation } from '#contexts/identity/application/people/accept-invitation.js';
import { invitationPage, ACCEPT_INVITATION_FIELDS } from './entry-pages.js';
import { RequestSources } from './visits.js';

/** Opening the link does not consume it, because mail programs open links too. */
@Controller('app/invitation/:token')
@OwnRateLimit()
export class InvitationController {
  constructor(
    private readonly acceptInvitation: AcceptInvitation,
    private readonly visits: RequestSources,
    private readonly callers: PublicRateLimiter,
  ) {}

  @PublicDashboardRoute()
  @Get()
  async show(@Param('token') token: string, @Req() request: Request) {
    const invitation = await this.callers.runLimited(request, token, () =>
      this.acceptInvitation.readInvitation(token),
    );
    return showPage(invitationPage({ invitation }));
  }

  @DashboardActionRoute('accept an invitation', 'enter', 'none', 'requires the link; enrolling follows')
  @Post()
  join(
    @Param('token') token: string,
    @FormBody(ACCEPT_INVITATION_FIELDS) form: SubmittedForm<typeof ACCEPT_INVITATION_FIELDS>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { name = '', password = '' } = form.typed;
    const again = async (sent: SubmittedForm) =>
      invitationPage({ invitation: await this.acceptInvitation.readInvitation(token), sent });
    return this.callers.runLimited(request, token, () =>
      handleFormSubmission(form, again, async () => {
        const visit = this.visits.sourceOf(request);
        const session = await this.acceptInvitation.accept({ token, name, password, ...visit });
        setSessionCookie(response, session.token);
        return seeOther('/app/second-factor/enrol');
      }),
    );
  }
}
