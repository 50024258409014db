import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  handleFormSubmission,
  requireChosenId,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { createQrImage } from '#shared/web/parts/qr-code.js';
import { PointOfSaleDevices } from '#contexts/identity/contract/point-of-sale-devices.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { PointOfSaleDirectory, PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  NEW_PAIRING_FIELDS,
  PAIRING_CODE_PATH,
  newPairingCodePage,
  PAIR_TILL_PATH,
  pairTillPage,
} from './pair-till-pages.js';
import { TillSettings } from '../till-settings.js';

interface StoredCode {
  readonly pointOfSaleId: PointOfSaleId;
  readonly code: string;
  readonly expiresAt: string;
}

@Controller('app/till')
export class PairTillController {
  constructor(
    private readonly directory: PointOfSaleDirectory,
    private readonly points: PointsOfSale,
    private readonly devices: PointOfSaleDevices,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
    private readonly settings: TillSettings,
  ) {}

  @DashboardRoute('pair_devices')
  @Get()
  async show(@Query() { done }: CompletedActionQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.renderTillPage(visitor, { done }));
  }

  @DashboardActionRoute(
    'pair a phone with a point of sale',
    'pair_devices',
    'fresh',
    'the phone gets access to that point of sale',
  )
  @Post()
  offerPairing(
    @FormBody(NEW_PAIRING_FIELDS) form: SubmittedForm<typeof NEW_PAIRING_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const typed = form.typed.point_of_sale_id;
    const again = (sent: SubmittedForm) => this.renderTillPage(visitor, { sent });
    return handleFormSubmission(form, again, async () => {
      const id = requireChosenId<PointOfSaleId>('point_of_sale_id', typed, 'the points of sale');
      const point = await this.points.find(visitor.scope, id);
      if (point.type !== 'physical')
        throw invalidField('point_of_sale_id', 'physical', 'must be a physical point of sale.');
      const names = await this.directory.namesOf(visitor.organizationId, [id]);
      const { code, expiresAt } = await this.devices.createPairingCode(
        point,
        names.get(id) ?? id,
        visitor.collaboratorId,
      );
      const kept: StoredCode = { pointOfSaleId: id, code, expiresAt: expiresAt.toISOString() };
      const token = await this.oneTimeSecretStore.storeSecret(
        visitor.sessionId,
        PAIRING_CODE_PATH,
        JSON.stringify(kept),
      );
      return redirectToSecretPage(PAIRING_CODE_PATH, token, response);
    });
  }

  @DashboardRoute('pair_devices')
  @Get('code')
  async showCode(
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const kept = await this.oneTimeSecretStore.consumeSecret(visitor.sessionId, PAIRING_CODE_PATH, token);
    if (kept === null) return seeOther(`${PAIR_TILL_PATH}?done=shown`);
    const { pointOfSaleId: id, code, expiresAt } = JSON.parse(kept) as StoredCode;
    const names = await this.directory.namesOf(visitor.organizationId, [id]);
    return showPage(
      newPairingCodePage({
        visitor,
        point: { id, name: names.get(id) ?? id },
        code,
        expiresAt: new Date(expiresAt),
        url: this.settings.url,
        qr: createQrImage(this.settings.pairingUrl(code))!,
      }),
    );
  }

  private async renderTillPage(visitor: DashboardUser, outcome: FormActionOutcome) {
    const search = { typed: outcome.sent?.typed['point_of_sale_id'], type: 'physical' } as const;
    return pairTillPage({
      visitor,
      points: await this.directory.searchChoices(visitor.scope, search),
      ...outcome,
    });
  }
}
