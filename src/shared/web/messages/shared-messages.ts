import type { MessageCatalogue } from './languages.js';

export interface SharedMessages {
  readonly copy: string;
  readonly copied: string;
  /** Displayed if the browser does not allow copying. */
  readonly selected: string;
  /** @param duration as formatted by `formatRoundedDuration` */
  readonly about: (duration: string) => string;
  readonly tryAgain: string;
  /** Label of the link to the merchant's support. */
  readonly support: string;
  readonly language: string;
  readonly sandbox: string;
  readonly sandboxNote: string;
}

export const SHARED_MESSAGES: MessageCatalogue<SharedMessages> = {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected. Copy it with your keyboard or the menu.',
    about: (duration) => `about ${duration}`,
    tryAgain: 'Try again',
    support: 'Contact',
    language: 'Language',
    sandbox: 'Sandbox',
    sandboxNote: 'This is a test network. The money here is play money.',
  },
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    selected: 'Seleccionado. Cópialo con el teclado o el menú.',
    about: (duration) => `alrededor de ${duration}`,
    tryAgain: 'Intentar de nuevo',
    support: 'Contacto',
    language: 'Idioma',
    sandbox: 'Pruebas',
    sandboxNote: 'Esta es una red de pruebas. El dinero aquí es ficticio.',
  },
  pt: {
    copy: 'Copiar',
    copied: 'Copiado',
    selected: 'Selecionado. Copie com o teclado ou o menu.',
    about: (duration) => `cerca de ${duration}`,
    tryAgain: 'Tentar de novo',
    support: 'Contato',
    language: 'Idioma',
    sandbox: 'Testes',
    sandboxNote: 'Esta é uma rede de testes. O dinheiro aqui é fictício.',
  },
};
