import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SubscriptionId } from '#shared/kernel/ids.js';
import { PageQuery, toPageRequest, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { AcceptSubscription } from '../../application/accept-subscription.js';
import { OpenOwedCharge } from '../../application/open-owed-charge.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { ChargeDto, presentCharges } from './charge.dto.js';
import { ApiWalletReference, WalletReferenceBody, toWalletReference } from './wallet-reference.dto.js';
import { WALLET_SUBSCRIPTION_EXAMPLE, CHARGE_EXAMPLE } from './subscription-examples.js';
import { presentForWallet, WalletSubscriptionDto } from './subscription.dto.js';

const SAME_SUBSCRIPTION_LINK = { id: '$request.path.id' };

@ApiTags('Subscriptions')
@Controller('v1/wallets/v1/subscriptions/:id')
export class WalletSubscriptionController {
  constructor(
    private readonly acceptSubscription: AcceptSubscription,
    private readonly revokeSubscription: RevokeSubscription,
    private readonly openOwed: OpenOwedCharge,
    private readonly queries: SubscriptionQueries,
  ) {}

  @Post('accept')
  @DocumentedOperation('acceptSubscription', 'Accept a subscription', {
    description:
      'Accepts the offer on behalf of the payer. The first due date is the end of the trial, or now if there ' +
      'is no trial. Safe to repeat with the same wallet.\n\n' +
      'Returns 409 `state_conflict` if the offer has ended or another wallet has accepted it.',
    answer: [WalletSubscriptionDto, 'The active subscription.', WALLET_SUBSCRIPTION_EXAMPLE],
    links: {
      ...operationLinkTo('listSubscriptionCharges', 'List the charges to pay.', SAME_SUBSCRIPTION_LINK),
      ...operationLinkTo('revokeSubscriptionByWallet', 'Revoke the subscription.', SAME_SUBSCRIPTION_LINK),
    },
    errors: ['state_conflict'],
  })
  @ApiWalletReference()
  async accept(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('id', 'subscription') id: SubscriptionId,
    @Body() body: WalletReferenceBody,
  ): Promise<WalletSubscriptionDto> {
    return presentForWallet(await this.acceptSubscription.accept(scope, id, toWalletReference(body)));
  }

  @Post('revoke')
  @DocumentedOperation('revokeSubscriptionByWallet', 'Revoke a subscription as its wallet', {
    description:
      'Stops all future charges permanently. Only the wallet that has accepted the subscription can revoke it. ' +
      'An open payment request can still be paid until it expires. Safe to repeat.',
    answer: [
      WalletSubscriptionDto,
      'The subscription. Its status is `revoked`, unless it had already ended.',
      { ...WALLET_SUBSCRIPTION_EXAMPLE, status: 'revoked', next_charge_at: null },
    ],
    errors: ['state_conflict'],
  })
  @ApiWalletReference()
  async revoke(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('id', 'subscription') id: SubscriptionId,
    @Body() body: WalletReferenceBody,
  ): Promise<WalletSubscriptionDto> {
    return presentForWallet(await this.revokeSubscription.byWallet(scope, id, toWalletReference(body)));
  }

  @Get('charges')
  @DocumentedOperation('listSubscriptionCharges', 'List the charges of a subscription', {
    description:
      'Returns the charges of a subscription, newest first, each with its latest payment request. If a charge ' +
      'is due and has no open payment request, this operation creates one if the credential has the role ' +
      '`write`. If the credential has only the role `read`, nothing is created.',
    page: [ChargeDto, 'A page of charges.', [CHARGE_EXAMPLE]],
  })
  async charges(
    @CurrentPrincipal() { scope, roles }: Principal,
    @PathId('id', 'subscription') id: SubscriptionId,
    @Query() query: PageQuery,
  ): Promise<PageBody<ChargeDto>> {
    const page = toPageRequest(query);
    if (roles.has('write')) await this.openOwed.forWallet(scope, id);
    return presentCharges(await this.queries.findChargesWithRequests(scope, id, page), page);
  }
}
