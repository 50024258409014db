import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  prepareAnswer,
  sendPrepared,
  type PreparedAnswer,
} from '#shared/platform/http/answers/prepared-answer.js';
import { PAGE_LANGUAGES, type PageLanguage } from '#shared/web/messages/languages.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { TillSettings } from '../till-settings.js';
import { TILL_PAGE_ASSETS, TILL_SERVICE_WORKER, TILL_MESSAGES } from '../pages/till-assets.js';
import { ICON_SIZES, drawTillIcon } from '../pages/till-icon.js';
import { renderTillPage } from '../pages/till-page.js';

/** Values of the web app manifest, with the colors of the light theme. */
const MANIFEST_APPEARANCE = {
  ...{ id: '/till', start_url: '/till', scope: '/till', display: 'standalone' },
  ...{ background_color: '#f3f5f8', theme_color: '#f3f5f8' },
};
const ONE_DAY_CACHE_CONTROL = 'public, max-age=86400';

/** One document, which contains no merchant data. */
@Controller('till')
@ApiExcludeController()
@Public()
@RawAnswer()
export class TillController {
  private readonly icons = new Map<number, PreparedAnswer>();
  private readonly workerScript = prepareAnswer('text/javascript', TILL_SERVICE_WORKER);
  private readonly pages = new Map<PageLanguage, PreparedAnswer>();
  private readonly manifests = new Map(
    PAGE_LANGUAGES.map((language) => [language, prepareManifestIn(language)]),
  );

  constructor(
    private readonly settings: TillSettings,
    private readonly dashboard: DashboardSettings,
  ) {}

  @Get()
  show(@Req() request: Request, @Res() response: Response): void {
    const language = pageLanguageOf(request);
    response.setHeader('Cache-Control', 'no-cache');
    sendHtmlPage(response, {
      html: this.renderPageIn(language),
      language,
      assets: TILL_PAGE_ASSETS[language],
    });
  }

  /** The worker may then serve `/till` itself (Service Workers, "Service-Worker-Allowed"). */
  @Get('worker.js')
  serviceWorker(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Service-Worker-Allowed', '/till');
    // The service worker has its own content security policy, independent of the page's.
    response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
    sendPrepared(response, this.workerScript);
  }

  @Get('manifest.webmanifest')
  manifest(@Req() request: Request, @Res() response: Response): void {
    response.setHeader('Cache-Control', ONE_DAY_CACHE_CONTROL);
    response.vary('Accept-Language, Cookie');
    sendPrepared(response, this.manifests.get(pageLanguageOf(request))!);
  }

  @Get(':icon')
  icon(@Param('icon') name: string, @Res() response: Response): void {
    const size = ICON_SIZES.find((known) => name === `icon-${known}.png`);
    if (size === undefined) throw new DomainError('not_found', 'not_found', 'The till has no such file.');
    response.setHeader('Cache-Control', ONE_DAY_CACHE_CONTROL);
    sendPrepared(response, this.drawIcon(size));
  }

  private drawIcon(size: number): PreparedAnswer {
    const known = this.icons.get(size) ?? prepareAnswer('png', drawTillIcon(size));
    this.icons.set(size, known);
    return known;
  }

  private renderPageIn(language: PageLanguage): PreparedAnswer {
    const known = this.pages.get(language);
    if (known !== undefined) return known;
    const { isSandbox: sandbox } = this.settings;
    const html = renderTillPage({ sandbox, dashboardUrl: this.dashboard.url() }, language);
    const page = prepareAnswer('html', html);
    this.pages.set(language, page);
    return page;
  }
}

function prepareManifestIn(language: PageLanguage): PreparedAnswer {
  const icons = ICON_SIZES.map((size) => ({
    src: `/till/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  }));
  const { name, description } = TILL_MESSAGES[language].page;
  const manifest = { ...MANIFEST_APPEARANCE, name, short_name: name, description, lang: language, icons };
  return prepareAnswer('application/manifest+json', JSON.stringify(manifest));
}
