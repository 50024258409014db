import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowDevices } from '#shared/platform/http/callers/route-markers.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  type PageBody,
  PageQuery,
  presentListPage,
  toPageRequest,
} from '#shared/platform/http/answers/pagination.dto.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { ListAssets } from '../../application/list-assets.js';
import { AssetDto, presentAsset } from './asset.dto.js';

@ApiTags('Assets')
@Controller('v1/assets')
export class AssetController {
  constructor(private readonly listAssets: ListAssets) {}

  @AllowDevices('common')
  @Get()
  @DocumentedOperation('listAssets', 'List assets', {
    description:
      'Returns all assets that this service can collect, in a fixed order, each with its decimal places, minimum amount and ' +
      'required confirmations.',
    page: [
      AssetDto,
      'One page of assets.',
      [
        {
          unique_asset_id: EXAMPLE_ASSET,
          symbol: 'USDC',
          name: 'USD Coin',
          decimals: 6,
          network: 'erc20',
          network_name: 'Ethereum',
          minimum_amount: '0.01',
          required_confirmations: 12,
        },
      ],
    ],
  })
  list(@Query() query: PageQuery): PageBody<AssetDto> {
    const request = toPageRequest(query);
    return presentListPage(this.listAssets.list(request), request, presentAsset);
  }
}
