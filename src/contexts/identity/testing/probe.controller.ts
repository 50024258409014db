import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { ForDevices, OrganizationScope, Public } from '#shared/platform/http/callers/route-markers.js';

/** One route for each way a route can be marked. */
@Controller('probe')
export class ProbeController {
  @Get('read')
  read(@CurrentPrincipal() principal: Principal): object {
    return { ...principal, roles: [...principal.roles] };
  }

  @Post('write')
  write(): object {
    return {};
  }

  @OrganizationScope()
  @Post('organization')
  organization(): object {
    return {};
  }

  @ForDevices()
  @Get('pos/:posID')
  point(): object {
    return {};
  }

  @ForDevices('creation', { amount: true, order: ['items'] })
  @Post('pos/:posID')
  create(@Body() _body: object): object {
    return {};
  }

  @ForDevices('common')
  @Get('common')
  common(): object {
    return {};
  }

  @Public()
  @Get('public')
  public(): object {
    return {};
  }
}
