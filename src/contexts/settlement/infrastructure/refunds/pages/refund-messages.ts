import type { MessageCatalogue } from '#shared/web/messages/languages.js';

const EN = {
  title: (merchant: string): string => `Refund from ${merchant}`,
  refund: 'Your refund',
  asset: 'Coin',
  network: 'Network',
  address: 'Address',
  transaction: 'Transaction',
  whereTo: 'Where should we send it?',
  addressOn: (network: string): string => `Your address on ${network}`,
  ownWallet: 'Use your own address that accepts this coin on this network.',
  goOn: 'Continue',
  badAddress: 'This refund cannot be sent to that address. Check it or use another one.',
  check: 'Is everything correct?',
  checkNote:
    'A payment to a wrong address or network cannot be reversed. You cannot change the address afterwards.',
  confirm: 'Yes, send it',
  change: 'Change address',
  waiting: 'Address received',
  waitingNote: (merchant: string): string => `${merchant} still needs to approve the refund.`,
  onItsWay: 'Your refund is on its way',
  onItsWayNote: 'It will be final in a few minutes. You can close this page.',
  paid: 'Your refund has been paid',
  paidNote: 'It is in your wallet.',
  notPaid: 'This refund was not paid',
  notPaidNote: (merchant: string): string => `Ask ${merchant} for a new one.`,
};

export type RefundTexts = typeof EN;

const ES: RefundTexts = {
  title: (merchant) => `Reembolso de ${merchant}`,
  refund: 'Tu reembolso',
  asset: 'Moneda',
  network: 'Red',
  address: 'Dirección',
  transaction: 'Transacción',
  whereTo: '¿A dónde lo enviamos?',
  addressOn: (network) => `Tu dirección en ${network}`,
  ownWallet: 'Usa una dirección tuya que acepte esta moneda en esta red.',
  goOn: 'Continuar',
  badAddress: 'Este reembolso no se puede enviar a esa dirección. Revísala o usa otra.',
  check: '¿Es todo correcto?',
  checkNote:
    'Un pago a una dirección o red equivocada no se puede revertir. Después no podrás cambiar la dirección.',
  confirm: 'Sí, enviarlo',
  change: 'Cambiar dirección',
  waiting: 'Dirección recibida',
  waitingNote: (merchant) => `${merchant} todavía tiene que aprobar el reembolso.`,
  onItsWay: 'Tu reembolso está en camino',
  onItsWayNote: 'Será definitivo en unos minutos. Puedes cerrar esta página.',
  paid: 'Tu reembolso se ha pagado',
  paidNote: 'Está en tu billetera.',
  notPaid: 'Este reembolso no se pagó',
  notPaidNote: (merchant) => `Pide uno nuevo a ${merchant}.`,
};

const PT: RefundTexts = {
  title: (merchant) => `Reembolso de ${merchant}`,
  refund: 'Seu reembolso',
  asset: 'Moeda',
  network: 'Rede',
  address: 'Endereço',
  transaction: 'Transação',
  whereTo: 'Para onde devemos enviar?',
  addressOn: (network) => `Seu endereço na rede ${network}`,
  ownWallet: 'Use um endereço seu que aceite esta moeda nesta rede.',
  goOn: 'Continuar',
  badAddress: 'Este reembolso não pode ser enviado para esse endereço. Confira ou use outro.',
  check: 'Está tudo correto?',
  checkNote:
    'Um pagamento para um endereço ou rede errada não pode ser revertido. Depois você não poderá mudar o endereço.',
  confirm: 'Sim, enviar',
  change: 'Mudar endereço',
  waiting: 'Endereço recebido',
  waitingNote: (merchant) => `${merchant} ainda precisa aprovar o reembolso.`,
  onItsWay: 'Seu reembolso está a caminho',
  onItsWayNote: 'Será definitivo em alguns minutos. Você pode fechar esta página.',
  paid: 'Seu reembolso foi pago',
  paidNote: 'Ele está na sua carteira.',
  notPaid: 'Este reembolso não foi pago',
  notPaidNote: (merchant) => `Peça um novo a ${merchant}.`,
};

export const REFUND_MESSAGES: MessageCatalogue<RefundTexts> = { en: EN, es: ES, pt: PT };
