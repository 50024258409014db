import { Controller, Get, Post } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { OrganizationScope, Public } from '#shared/platform/http/callers/route-markers.js';

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

  @Public()
  @Get('public')
  public(): object {
    return {};
  }
}
