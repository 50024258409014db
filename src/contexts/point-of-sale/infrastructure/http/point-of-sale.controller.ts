import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { KeyedCreations } from '#shared/kernel/keyed-creation.js';
import {
  ApiFailures,
  ApiSuccess,
  ApiSuccessPage,
  linkTo,
} from '#shared/platform/http/openapi/api-answers.js';
import { presentPage, toPageRequest, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { ForDevices } from '#shared/platform/http/callers/route-markers.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ChangePointOfSale } from '../../application/change-point-of-sale.js';
import { CodeUrls } from '../../application/code-urls.js';
import { CreatePointOfSale } from '../../application/create-point-of-sale.js';
import { PointsOfSaleRecords, type PointOfSaleView } from '../../application/points-of-sale-records.js';
import { POINT_OF_SALE_EXAMPLE, PointOfSaleAnswer, presentPointOfSale } from './point-of-sale-answer.dto.js';
import {
  ChangePointOfSaleBody,
  CreatePointOfSaleBody,
  describedIn,
  PointOfSaleQuery,
} from './point-of-sale.dto.js';

const POINT_OF_SALE = { posID: '$response.body#/data/id' };

const ApiPointOfSaleParam = () =>
  ApiParam({ name: 'posID', format: 'uuid', description: 'The point of sale.' });

@ApiTags('Points of sale')
@Controller('v1/pos')
export class PointOfSaleController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly answers: IdempotentAnswers,
    private readonly keyedCreations: KeyedCreations,
    private readonly createPointOfSale: CreatePointOfSale,
    private readonly changePointOfSale: ChangePointOfSale,
    private readonly records: PointsOfSaleRecords,
    private readonly urls: CodeUrls,
  ) {}

  private readonly present = (point: PointOfSaleView) => presentPointOfSale(point, this.urls);

  @Get()
  @ApiOperation({
    operationId: 'listPointsOfSale',
    summary: 'List points of sale',
    description: 'Oldest first. An account-level key sees those of its account alone.',
  })
  @ApiSuccessPage(PointOfSaleAnswer, {
    description: 'One page of points of sale.',
    example: [POINT_OF_SALE_EXAMPLE],
  })
  @ApiFailures('account_not_allowed')
  async list(
    @Query() query: PointOfSaleQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<PointOfSaleAnswer>> {
    const page = toPageRequest(query);
    const narrowed = await this.accounts.narrowIfNamed(scope, query.account_id);
    return presentPage(await this.records.list(narrowed, page), page, this.present);
  }

  @Post()
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'createPointOfSale',
    summary: 'Create a point of sale',
    description:
      'It belongs to one account and collects at once. An account-level key creates them for its own account.',
  })
  @ApiSuccess(PointOfSaleAnswer, {
    description: 'The point of sale.',
    example: POINT_OF_SALE_EXAMPLE,
    links: {
      ...linkTo('createPaymentRequest', 'Collect on it.', POINT_OF_SALE),
      ...linkTo('createCheckout', 'Collect on it by a hosted page.', POINT_OF_SALE),
      ...linkTo('readPointOfSale', 'Read it again.', POINT_OF_SALE),
      ...linkTo('changePointOfSale', 'Describe it anew.', POINT_OF_SALE),
    },
  })
  @ApiFailures('validation_failed', 'account_not_allowed')
  create(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Body() body: CreatePointOfSaleBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<PointOfSaleAnswer> {
    const { type, account_id: account } = body;
    const pointOfSale = { scope, type, account, ...describedIn(body), actor, address };
    return this.answers.once(key, this.present, (keyed) =>
      this.keyedCreations.run(keyed, () => this.createPointOfSale.execute(pointOfSale)),
    );
  }

  @ForDevices()
  @Get(':posID')
  @ApiPointOfSaleParam()
  @ApiOperation({
    operationId: 'readPointOfSale',
    summary: 'Read a point of sale',
    description: 'As it is described now; payment requests keep what they were created with.',
  })
  @ApiSuccess(PointOfSaleAnswer, { description: 'The point of sale.', example: POINT_OF_SALE_EXAMPLE })
  @ApiFailures('not_found')
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @Param('posID', new UuidParam('point of sale')) pointOfSaleId: PointOfSaleId,
  ): Promise<PointOfSaleAnswer> {
    return this.present(await this.records.find(scope, pointOfSaleId));
  }

  @Put(':posID')
  @ApiPointOfSaleParam()
  @ApiOperation({
    operationId: 'changePointOfSale',
    summary: 'Replace name and configuration of a point of sale',
    description:
      'For payment requests from now on; those that exist stay as they are. Safe to repeat. Type and account never ' +
      'change: another one is refused by name.',
  })
  @ApiSuccess(PointOfSaleAnswer, {
    description: 'The point of sale as it is now.',
    example: POINT_OF_SALE_EXAMPLE,
  })
  @ApiFailures('validation_failed', 'not_found')
  async change(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('posID', new UuidParam('point of sale')) pointOfSaleId: PointOfSaleId,
    @Body() body: ChangePointOfSaleBody,
  ): Promise<PointOfSaleAnswer> {
    const { type, account_id: account } = body;
    return this.present(
      await this.changePointOfSale.execute({
        scope,
        pointOfSaleId,
        type,
        account,
        actor,
        address,
        ...describedIn(body),
      }),
    );
  }
}
