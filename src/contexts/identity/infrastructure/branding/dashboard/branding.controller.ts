import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { auditActorOf, answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { TakesFile, InjectedFile, type UploadedFile } from '#shared/platform/http/input/uploaded-file.js';
import type { ActOutcome, SentForm } from '#shared/web/dashboard/form-fields.js';
import { accountInPath } from '#contexts/identity/contract/account-scope-rule.js';
import { ChangeBranding } from '#contexts/identity/application/change-branding.js';
import { Accounts } from '../../accounts/persistence/accounts.js';
import { Brandings } from '../../persistence/brandings.js';
import { logoTooLarge, MAX_LOGO_BYTES } from '#contexts/identity/domain/branding/logo-file.js';
import { BRANDING_FIELDS, brandingPage } from './branding-page.js';

@Controller(['app/branding', 'app/accounts/:id/branding'])
export class BrandingController {
  constructor(
    private readonly accounts: Accounts,
    private readonly brandings: Brandings,
    private readonly changeBranding: ChangeBranding,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @Param('id') id: string | undefined,
    @Query() { done }: CompletedActionQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.renderBrandingPage(visitor, id, { done }));
  }

  @DashboardAct(
    'change the branding',
    'manage',
    'none',
    'redirects no payer; existing requests keep their name',
  )
  @TakesFile({ field: 'logo', maxBytes: MAX_LOGO_BYTES })
  @Post()
  change(
    @Param('id') id: string | undefined,
    @FormBody(BRANDING_FIELDS) form: SentForm<typeof BRANDING_FIELDS>,
    @InjectedFile() file: UploadedFile,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { display_name: displayName, tax_id: taxId, postal_address: postalAddress, support } = form.typed;
    // A browser always sends a colour.
    const colour = form.typed.own_colour === 'on' ? form.typed.colour : '';
    const texts = { displayName, taxId, postalAddress, colour, support };
    const again = (sent: SentForm) => this.renderBrandingPage(visitor, id, { sent });
    return answerForm(form, again, async () => {
      if (file === 'too_large') throw logoTooLarge();
      const chosen = file === 'missing' ? undefined : file;
      const logo = chosen ?? (form.typed.remove_logo === 'on' ? null : undefined);
      const owner = brandingOwnerOf(visitor, id);
      await this.changeBranding.change({
        ...{ owner, texts, ...auditActorOf(visitor) },
        ...(logo !== undefined && { logo }),
      });
      return seeOther(`${brandingPathOf(owner)}?done=changed`);
    });
  }

  private async renderBrandingPage(visitor: DashboardVisitor, id: string | undefined, outcome: ActOutcome) {
    const owner = brandingOwnerOf(visitor, id);
    const { organizationId, accountId } = owner;
    const account = accountId === null ? undefined : await this.accounts.find({ organizationId, accountId });
    const own = await this.brandings.readOwnBranding(owner);
    const inherited = account === undefined ? own : await this.brandings.readOwnBranding(visitor.scope);
    return brandingPage({ visitor, path: brandingPathOf(owner), account, own, inherited, ...outcome });
  }
}

function brandingOwnerOf({ scope }: DashboardVisitor, id: string | undefined): Scope {
  return id === undefined ? scope : accountInPath(scope, id);
}

function brandingPathOf({ accountId }: Scope): string {
  return accountId === null ? '/app/branding' : `/app/accounts/${accountId}/branding`;
}
