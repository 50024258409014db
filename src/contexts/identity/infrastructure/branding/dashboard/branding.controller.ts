import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { TenantScope } from '#shared/kernel/scope.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { auditActorOf, handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import {
  TakesFile,
  UploadedFileParam,
  type UploadedFile,
} from '#shared/platform/http/input/uploaded-file.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { scopeOfPathAccount } from '#contexts/identity/contract/account-scope-rule.js';
import { ChangeBranding } from '#contexts/identity/application/change-branding.js';
import { MerchantAccounts } from '../../accounts/persistence/merchant-accounts.js';
import { Brandings } from '../../persistence/brandings.js';
import { logoTooLargeError, MAX_LOGO_BYTES } from '#contexts/identity/domain/branding/logo-file.js';
import { BRANDING_FIELDS, brandingPage } from './branding-page.js';

@Controller(['app/branding', 'app/accounts/:id/branding'])
export class BrandingController {
  constructor(
    private readonly accounts: MerchantAccounts,
    private readonly brandings: Brandings,
    private readonly changeBranding: ChangeBranding,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @Param('id') id: string | undefined,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.renderBrandingPage(visitor, id, { done }));
  }

  @DashboardActionRoute(
    'change the branding',
    'manage',
    'none',
    'redirects no payer; existing requests keep their name',
  )
  @TakesFile({ field: 'logo', maxBytes: MAX_LOGO_BYTES })
  @Post()
  change(
    @Param('id') id: string | undefined,
    @FormBody(BRANDING_FIELDS) form: SubmittedForm<typeof BRANDING_FIELDS>,
    @UploadedFileParam() file: UploadedFile,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { display_name: displayName, tax_id: taxId, postal_address: postalAddress, support } = form.typed;
    // A browser always sends a colour.
    const colour = form.typed.own_colour === 'on' ? form.typed.colour : '';
    const texts = { displayName, taxId, postalAddress, colour, support };
    const again = (sent: SubmittedForm) => this.renderBrandingPage(visitor, id, { sent });
    return handleFormSubmission(form, again, async () => {
      if (file === 'too_large') throw logoTooLargeError();
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

  private async renderBrandingPage(
    visitor: DashboardUser,
    id: string | undefined,
    outcome: FormActionOutcome,
  ) {
    const owner = brandingOwnerOf(visitor, id);
    const { organizationId, accountId } = owner;
    const account = accountId === null ? undefined : await this.accounts.find({ organizationId, accountId });
    const own = await this.brandings.readOwnBranding(owner);
    const inherited = account === undefined ? own : await this.brandings.readOwnBranding(visitor.scope);
    return brandingPage({ visitor, path: brandingPathOf(owner), account, own, inherited, ...outcome });
  }
}

function brandingOwnerOf({ scope }: DashboardUser, id: string | undefined): TenantScope {
  return id === undefined ? scope : scopeOfPathAccount(scope, id);
}

function brandingPathOf({ accountId }: TenantScope): string {
  return accountId === null ? '/app/branding' : `/app/accounts/${accountId}/branding`;
}
