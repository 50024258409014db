import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { CreateSubscription } from '../../application/create-subscription.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { SubscriptionSettings } from '../../application/payer-page.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import {
  ACTIVE_SUBSCRIPTION_EXAMPLE,
  SUBSCRIPTION_OFFER_EXAMPLE,
  REVOKED_SUBSCRIPTION_EXAMPLE,
} from './subscription-examples.js';
import {
  CreateSubscriptionBody,
  presentSubscription,
  SubscriptionDto,
  SubscriptionsQuery,
  toCreateSubscriptionInput,
} from './subscription.dto.js';

const CREATED_SUBSCRIPTION_LINK = { posID: '$request.path.posID', subscriptionID: '$response.body#/data/id' };

@ApiTags('Subscriptions')
@Controller('v1/pos/:posID/subscription')
export class SubscriptionController {
  constructor(
    private readonly createSubscription: CreateSubscription,
    private readonly revokeSubscription: RevokeSubscription,
    private readonly queries: SubscriptionQueries,
    private readonly settings: SubscriptionSettings,
    private readonly answers: IdempotentAnswers,
  ) {}

  @Post()
  @DocumentedOperation('createSubscription', 'Create a subscription offer', {
    description:
      'Creates a subscription offer for an online point of sale. The offer is `pending` until a wallet accepts ' +
      'it on behalf of the payer. On each due date, the service then creates a payment request for the amount, ' +
      'which the wallet or the payer pays. The service never takes funds from a wallet.',
    answer: [SubscriptionDto, 'The new offer.', SUBSCRIPTION_OFFER_EXAMPLE],
    links: {
      ...operationLinkTo('readSubscription', 'Read the subscription.', CREATED_SUBSCRIPTION_LINK),
      ...operationLinkTo('revokeSubscription', 'Revoke the subscription.', CREATED_SUBSCRIPTION_LINK),
      ...operationLinkTo('acceptSubscription', 'Accept the subscription on behalf of the payer.', {
        id: '$response.body#/data/id',
      }),
    },
    errors: ['state_conflict', 'settlement_address_missing'],
  })
  create(
    @CurrentPrincipal() caller: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Body() body: CreateSubscriptionBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<SubscriptionDto> {
    const asked = toCreateSubscriptionInput(body);
    return this.answers.answerOnce(
      key,
      (created: SubscriptionSnapshot) => this.present(created, caller),
      (idempotency) =>
        this.createSubscription.create({ scope: caller.scope, pointOfSaleId, idempotency, ...asked }),
    );
  }

  @Get()
  @DocumentedOperation('listSubscriptions', 'List the subscriptions of a point of sale', {
    description: 'Returns the subscriptions of a point of sale, newest first.',
    page: [SubscriptionDto, 'A page of subscriptions.', [ACTIVE_SUBSCRIPTION_EXAMPLE]],
  })
  async list(
    @CurrentPrincipal() caller: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Query() query: SubscriptionsQuery,
  ): Promise<PageBody<SubscriptionDto>> {
    const page = toPageRequest(query);
    const found = await this.queries.page(caller.scope, pointOfSaleId, { status: query.status }, page);
    return presentListPage(found, page, (subscription) => this.present(subscription, caller));
  }

  @Get(':subscriptionID')
  @DocumentedOperation('readSubscription', 'Read a subscription', {
    description: 'Returns the current state of the subscription.',
    answer: [SubscriptionDto, 'The subscription.', ACTIVE_SUBSCRIPTION_EXAMPLE],
  })
  async read(
    @CurrentPrincipal() caller: Principal,
    @PathId('posID', 'subscription', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('subscriptionID', 'subscription') id: SubscriptionId,
  ): Promise<SubscriptionDto> {
    return this.present(await this.queries.find(caller.scope, id, pointOfSaleId), caller);
  }

  @Post(':subscriptionID/revoke')
  @DocumentedOperation('revokeSubscription', 'Revoke a subscription', {
    description:
      'Stops all future charges permanently. An open payment request can still be paid until it expires. A ' +
      'subscription that has already ended stays unchanged. Safe to repeat.',
    answer: [
      SubscriptionDto,
      'The subscription. Its status is `revoked`, unless it had already ended.',
      REVOKED_SUBSCRIPTION_EXAMPLE,
    ],
  })
  async revoke(
    @CurrentPrincipal() caller: Principal,
    @PathId('posID', 'subscription', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('subscriptionID', 'subscription') id: SubscriptionId,
  ): Promise<SubscriptionDto> {
    return this.present(await this.revokeSubscription.byMerchant(caller.scope, pointOfSaleId, id), caller);
  }

  private present(subscription: SubscriptionSnapshot, { roles }: Principal): SubscriptionDto {
    const url = roles.has('write') ? this.settings.pageUrl(subscription.code) : undefined;
    return presentSubscription(subscription, url);
  }
}
