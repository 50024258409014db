import type { Translations } from './translation.js';

/** Mail rules, and the pages that their mails lead to. */
export const NOTICE_WORDS = {
  'New mail rule': ['Nueva regla de correo', 'Nova regra de e-mail'],
  'Mail rule': ['Regla de correo', 'Regra de e-mail'],
  'Mail rules of all accounts, oldest first': [
    'Reglas de correo de todas las cuentas, primero las más antiguas',
    'Regras de e-mail de todas as contas, primeiro as mais antigas',
  ],
  'No mail is set up.': ['No hay ningún correo configurado.', 'Não há nenhum e-mail configurado.'],
  'A rule mails people what happens to payments, and figures of each week or month.': [
    'Una regla envía por correo lo que pasa con los pagos, y las cifras de cada semana o mes.',
    'Uma regra envia por e-mail o que acontece com os pagamentos, e os números de cada semana ou mês.',
  ],
  'The rule is deleted. Nothing is mailed by it any more.': [
    'La regla se eliminó. Ya no envía ningún correo.',
    'A regra foi excluída. Ela não envia mais nenhum e-mail.',
  ],
  'The rule is made. Addresses that have to confirm were asked by mail.': [
    'La regla está creada. Se pidió por correo la confirmación a las direcciones que deben confirmar.',
    'A regra foi criada. A confirmação foi pedida por e-mail aos endereços que devem confirmar.',
  ],
  'The rule is changed. Addresses that have to confirm were asked by mail.': [
    'La regla se cambió. Se pidió por correo la confirmación a las direcciones que deben confirmar.',
    'A regra foi alterada. A confirmação foi pedida por e-mail aos endereços que devem confirmar.',
  ],
  'The addresses that have not confirmed were asked again.': [
    'Se preguntó de nuevo a las direcciones sin confirmar.',
    'Os endereços que não confirmaram receberam outro pedido.',
  ],
  'Mail on': ['Motivos del correo', 'Motivos do e-mail'],
  'Mail to': ['Destinatarios', 'Destinatários'],
  'Completed payments': ['Pagos completados', 'Pagamentos concluídos'],
  'Underpaid payments': ['Pagos insuficientes', 'Pagamentos insuficientes'],
  'Late and other deposits': ['Depósitos tardíos y otros', 'Depósitos tardios e outros'],
  'Failing webhooks': ['Webhooks que fallan', 'Webhooks que falham'],
  'A low refund float': ['Un fondo de reembolsos bajo', 'Um fundo de reembolsos baixo'],
  'Weekly report': ['Informe semanal', 'Relatório semanal'],
  'Monthly report': ['Informe mensual', 'Relatório mensal'],
  'Paid in full, overpaid, or short within your tolerance.': [
    'Pagado por completo, de más, o de menos dentro de la tolerancia.',
    'Pago por completo, a mais, ou a menos dentro da tolerância.',
  ],
  'The payment has ended and less was received.': [
    'El pago terminó y se recibió menos.',
    'O pagamento terminou e foi recebido menos.',
  ],
  'Money at a payment’s address that is no part of it: late, after the outcome, or in another asset.': [
    'Dinero en la dirección de un pago que no es parte de él: tarde, después del resultado, o en otro activo.',
    'Dinheiro no endereço de um pagamento que não faz parte dele: tarde, depois do resultado, ou em outro ativo.',
  ],
  'Each status of a refund.': ['Cada estado de un reembolso.', 'Cada status de um reembolso.'],
  'A webhook of the account that has only failed for five days.': [
    'Un webhook de la cuenta que solo ha fallado durante cinco días.',
    'Um webhook da conta que só falhou durante cinco dias.',
  ],
  'Less is free in the float than you name below.': [
    'En el fondo hay menos libre de lo que se indica abajo.',
    'No fundo há menos livre do que o indicado abaixo.',
  ],
  'On Monday morning, with the figures of the week before.': [
    'El lunes por la mañana, con las cifras de la semana anterior.',
    'Na segunda-feira de manhã, com os números da semana anterior.',
  ],
  'On the first morning of a month, with the figures of the month before.': [
    'La primera mañana de un mes, con las cifras del mes anterior.',
    'Na primeira manhã de um mês, com os números do mês anterior.',
  ],
  'At most {most} addresses, one a line. People of your team get mails at once; any other address first confirms by a link.':
    [
      'Como máximo {most} direcciones, una por línea. Las personas del equipo reciben los correos de inmediato; cualquier otra dirección confirma antes con un enlace.',
      'No máximo {most} endereços, um por linha. As pessoas da equipe recebem os e-mails de imediato; qualquer outro endereço confirma antes por um link.',
    ],
  'At most one mail of events in': [
    'Como máximo un correo de eventos en',
    'No máximo um e-mail de eventos em',
  ],
  '5 minutes': ['5 minutos', '5 minutos'],
  'an hour': ['una hora', 'uma hora'],
  'a day': ['un día', 'um dia'],
  'Of times, weeks and months in the mails, like Europe/Lisbon. UTC where it stays empty.': [
    'De las horas, semanas y meses en los correos, como Europe/Lisbon. UTC si queda vacío.',
    'Dos horários, semanas e meses nos e-mails, como Europe/Lisbon. UTC se ficar vazio.',
  ],
  'Low below': ['Avisar por debajo de', 'Avisar abaixo de'],
  'An amount of that asset. Used where a low float is mailed.': [
    'Un importe de ese activo. Se usa donde se avisa de un fondo bajo.',
    'Um valor desse ativo. Usado onde se avisa de um fundo baixo.',
  ],
  'Last events mailed': ['Últimos eventos enviados', 'Últimos eventos enviados'],
  Made: ['Hecho', 'Feito'],
  Addresses: ['Direcciones', 'Endereços'],
  'Addresses of the rule': ['Direcciones de la regla', 'Endereços da regra'],
  'No address.': ['Ninguna dirección.', 'Nenhum endereço.'],
  Reports: ['Informes', 'Relatórios'],
  'Reports, newest first': ['Informes, primero los más recientes', 'Relatórios, primeiro os mais recentes'],
  'Week from {day}': ['Semana desde {day}', 'Semana a partir de {day}'],
  'Month from {day}': ['Mes desde {day}', 'Mês a partir de {day}'],
  'Mailed to': ['Enviado a', 'Enviado para'],
  'Ask unconfirmed addresses again': [
    'Preguntar de nuevo a las direcciones sin confirmar',
    'Pedir de novo aos endereços não confirmados',
  ],
  'Change the rule': ['Cambiar la regla', 'Alterar a regra'],
  'Delete the rule': ['Eliminar la regla', 'Excluir a regra'],
  'Delete this rule with its addresses and its list of reports': [
    'Eliminar esta regla con sus direcciones y su lista de informes',
    'Excluir esta regra com seus endereços e sua lista de relatórios',
  ],
  'Get these mails?': ['¿Recibir estos correos?', 'Receber estes e-mails?'],
  'This link is too old': ['Este enlace es demasiado antiguo', 'Este link é antigo demais'],
  'You get these mails': ['Estos correos se reciben aquí', 'Você recebe estes e-mails'],
  'You are unsubscribed': ['La suscripción está dada de baja', 'Você está descadastrado'],
  'Mails of {organization} to {email}.': [
    'Correos de {organization} a {email}.',
    'E-mails de {organization} para {email}.',
  ],
  'Ask for another one where you want these mails. Nothing is sent meanwhile.': [
    'Pedir otro si se quieren estos correos. Mientras tanto no se envía nada.',
    'Peça outro se quiser estes e-mails. Enquanto isso nada é enviado.',
  ],
  'Get them again': ['Recibirlos de nuevo', 'Receber de novo'],
  Unsubscribe: ['Darse de baja', 'Descadastrar'],
  'The link is not complete, or nothing is mailed to this address by it any more.': [
    'El enlace no está completo, o ya no se envía nada a esta dirección con él.',
    'O link não está completo, ou nada mais é enviado a este endereço por ele.',
  ],
} as const satisfies Translations;
