import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures, ApiSuccessPage } from '../../../../shared/platform/http/openapi/api-answers.js';
import {
  presentPage,
  toPageRequest,
  type PageBody,
} from '../../../../shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '../../../../shared/platform/http/callers/principal.js';
import { ListPointsOfSale } from '../../application/list-points-of-sale.js';
import { PointOfSaleAnswer, PointOfSaleQuery, presentPointOfSale } from './point-of-sale.dto.js';

@ApiTags('Points of sale')
@Controller('v1/pos')
export class PointOfSaleController {
  constructor(private readonly listPointsOfSale: ListPointsOfSale) {}

  @Get()
  @ApiOperation({
    operationId: 'listPointsOfSale',
    summary: 'List points of sale',
    description: 'Oldest first. An account-level key sees those of its account alone.',
  })
  @ApiSuccessPage(PointOfSaleAnswer, {
    description: 'One page of points of sale.',
    example: {
      data: [
        {
          id: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90',
          name: 'Web shop',
          type: 'online',
          organization_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
          organization_name: 'Example Shops',
          account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
          account_name: 'Berlin',
          config: {
            merchant: { name: 'Example Shop', mcc: '5732' },
            payment_options: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
            return_url: 'https://shop.example/return',
          },
          created_at: '2026-01-31T12:00:00.000Z',
          updated_at: '2026-01-31T12:00:00.000Z',
        },
      ],
      total: 1,
      page: 1,
      page_size: 50,
      total_pages: 1,
    },
  })
  @ApiFailures('account_not_allowed')
  async list(
    @Query() query: PointOfSaleQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<PointOfSaleAnswer>> {
    const page = toPageRequest(query);
    const { account_id: account } = query;
    const found = await this.listPointsOfSale.execute({
      scope,
      page,
      ...(account === undefined ? {} : { account }),
    });
    return presentPage(found, page, presentPointOfSale);
  }
}
