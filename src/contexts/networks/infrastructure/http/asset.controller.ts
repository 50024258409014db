import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiSuccessPage } from '../../../../shared/platform/http/api-answers.js';
import {
  type PageBody,
  PageQuery,
  presentPage,
  toPageRequest,
} from '../../../../shared/platform/http/paging.dto.js';
import { ListAssets } from '../../application/list-assets.js';
import { AssetDto, presentAsset } from './asset.dto.js';

@ApiTags('Assets')
@Controller('v1/assets')
export class AssetController {
  constructor(private readonly listAssets: ListAssets) {}

  @Get()
  @ApiOperation({
    summary: 'List assets',
    description:
      'All assets that this service can collect, in a fixed order, with what each network demands.',
  })
  @ApiSuccessPage(AssetDto, { description: 'The assets of this page.' })
  list(@Query() query: PageQuery): PageBody<AssetDto> {
    const request = toPageRequest(query);
    return presentPage(this.listAssets.execute(request), request, presentAsset);
  }
}
