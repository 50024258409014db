import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { IdempotentCreations } from '#shared/kernel/idempotent-creation.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AllowDevices } from '#shared/platform/http/callers/route-markers.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ChangePointOfSale } from '../../application/change-point-of-sale.js';
import { PrintedCodeUrls } from '../../domain/point-of-sale.js';
import { CreatePointOfSale } from '../../application/create-point-of-sale.js';
import { DeletePointOfSale } from '../../application/delete-point-of-sale.js';
import { PointsOfSaleRecords, type PointOfSaleView } from '../persistence/points-of-sale-records.js';
import {
  DeletedPointOfSaleAnswer,
  POINT_OF_SALE_EXAMPLE,
  PointOfSaleAnswer,
  presentPointOfSale,
} from './point-of-sale-answer.dto.js';
import {
  ChangePointOfSaleBody,
  CreatePointOfSaleBody,
  toPointOfSaleInput,
  PointOfSaleQuery,
} from './point-of-sale.dto.js';

const POINT_OF_SALE_LINK_PARAMETERS = { posID: '$response.body#/data/id' };

@ApiTags('Points of sale')
@Controller('v1/pos')
export class PointOfSaleController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly answers: IdempotentAnswers,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly createPointOfSale: CreatePointOfSale,
    private readonly changePointOfSale: ChangePointOfSale,
    private readonly deletePointOfSale: DeletePointOfSale,
    private readonly records: PointsOfSaleRecords,
    private readonly urls: PrintedCodeUrls,
  ) {}

  private readonly present = (point: PointOfSaleView) => presentPointOfSale(point, this.urls);

  @Get()
  @DocumentedOperation('listPointsOfSale', 'List points of sale', {
    description:
      'Returns points of sale, oldest first. Account-level keys see only the points of sale of their account. ' +
      'Returns 403 `account_not_allowed` if `account_id` is not an account of your organization.',
    page: [PointOfSaleAnswer, 'One page of points of sale.', [POINT_OF_SALE_EXAMPLE]],
    errors: ['account_not_allowed'],
  })
  async list(
    @Query() query: PointOfSaleQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<PointOfSaleAnswer>> {
    const page = toPageRequest(query);
    const narrowed = await this.accounts.narrowScopeIfGiven(scope, query.account_id);
    return presentListPage(await this.records.list(narrowed, page), page, this.present);
  }

  @Post()
  @DocumentedOperation('createPointOfSale', 'Create a point of sale', {
    description:
      'Creates a point of sale in one account. It can be used for payment requests immediately. Account-level ' +
      'keys can create points of sale only in their own account. The type and the account cannot be changed ' +
      'later.',
    answer: [PointOfSaleAnswer, 'The new point of sale.', POINT_OF_SALE_EXAMPLE],
    links: {
      ...operationLinkTo(
        'createPaymentRequest',
        'Create a payment request on it.',
        POINT_OF_SALE_LINK_PARAMETERS,
      ),
      ...operationLinkTo('createCheckout', 'Create a hosted checkout on it.', POINT_OF_SALE_LINK_PARAMETERS),
      ...operationLinkTo('readPointOfSale', 'Read the point of sale.', POINT_OF_SALE_LINK_PARAMETERS),
      ...operationLinkTo('changePointOfSale', 'Change the point of sale.', POINT_OF_SALE_LINK_PARAMETERS),
    },
    errors: ['account_not_allowed'],
  })
  create(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Body() body: CreatePointOfSaleBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<PointOfSaleAnswer> {
    const { type, account_id: account } = body;
    const pointOfSale = { scope, type, account, ...toPointOfSaleInput(body), actor, address };
    return this.answers.answerOnce(key, this.present, (idempotency) =>
      this.idempotentCreations.run(idempotency, () => this.createPointOfSale.create(pointOfSale)),
    );
  }

  @AllowDevices()
  @Get(':posID')
  @DocumentedOperation('readPointOfSale', 'Read a point of sale', {
    description:
      'Returns a point of sale with its current configuration. Existing payment requests keep the ' +
      'configuration they were created with.',
    answer: [PointOfSaleAnswer, 'The point of sale.', POINT_OF_SALE_EXAMPLE],
  })
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
  ): Promise<PointOfSaleAnswer> {
    return this.present(await this.records.find(scope, pointOfSaleId));
  }

  @Put(':posID')
  @DocumentedOperation('changePointOfSale', 'Change a point of sale', {
    description:
      'Replaces the name and the whole configuration. Omitted optional fields return to their defaults. The ' +
      'change applies to new payment requests; existing payment requests do not change. Safe to repeat. ' +
      'Returns 400 `validation_failed` if `type` or `account_id` differs from the current value.',
    answer: [PointOfSaleAnswer, 'The changed point of sale.', POINT_OF_SALE_EXAMPLE],
  })
  async change(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Body() body: ChangePointOfSaleBody,
  ): Promise<PointOfSaleAnswer> {
    const { type, account_id: account } = body;
    return this.present(
      await this.changePointOfSale.change({
        scope,
        pointOfSaleId,
        type,
        account,
        actor,
        address,
        ...toPointOfSaleInput(body),
      }),
    );
  }

  @Delete(':posID')
  @DocumentedOperation('deletePointOfSale', 'Delete a point of sale', {
    description:
      'Permanently deletes the point of sale and revokes its paired devices. Its payment requests stay readable, ' +
      'and its printed code stops working.\n\n' +
      'Returns 409 `state_conflict` if it has open payment requests or subscriptions, or active payment links.',
    answer: [
      DeletedPointOfSaleAnswer,
      'The id of the deleted point of sale.',
      { id: POINT_OF_SALE_EXAMPLE.id },
    ],
    errors: ['state_conflict'],
  })
  async delete(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
  ): Promise<DeletedPointOfSaleAnswer> {
    return { id: await this.deletePointOfSale.delete({ scope, pointOfSaleId, actor, address }) };
  }
}
