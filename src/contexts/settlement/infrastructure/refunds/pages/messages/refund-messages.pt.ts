import type { RefundTexts } from './refund-texts.js';

export const PT: RefundTexts = {
  title: (merchant) => `Reembolso de ${merchant}`,
  refund: 'Seu reembolso',
  asset: 'Moeda',
  network: 'Rede',
  address: 'Endereço',
  transaction: 'Transação',
  whereTo: 'Para onde enviar?',
  addressOn: (network) => `Seu endereço em ${network}`,
  ownWallet: 'Use um endereço seu que aceite esta moeda nesta rede.',
  goOn: 'Continuar',
  badAddress: 'Este reembolso não pode ser enviado para esse endereço. Confira ou use outro.',
  check: 'Está tudo certo?',
  checkNote:
    'Um pagamento para um endereço ou uma rede errada não pode ser desfeito. Depois não dá para mudar o endereço.',
  confirm: 'Sim, enviar para lá',
  change: 'Mudar o endereço',
  waiting: 'Endereço recebido',
  waitingNote: (merchant) => `${merchant} ainda precisa aprovar o reembolso.`,
  onItsWay: 'Seu reembolso está a caminho',
  onItsWayNote: 'Será definitivo em alguns minutos. Você pode fechar esta página.',
  paid: 'Seu reembolso foi pago',
  paidNote: 'Ele está na sua carteira.',
  notPaid: 'Este reembolso não foi pago',
  notPaidNote: (merchant) => `Peça outro a ${merchant}.`,
};
