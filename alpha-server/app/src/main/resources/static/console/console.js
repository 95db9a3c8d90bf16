// What the pages do besides being read: follow what is live, show times, take keys, send orders.
'use strict';
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // In the page's language; {0} is the first argument.
  const TEXTS = JSON.parse(document.body.dataset.texts);
  const text = (key, ...args) => TEXTS[key].replace(/\{(\d)}/g, (_, n) => args[n]);

  // ---- themes

  $('#theme').addEventListener('click', () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('alpha.theme', root.dataset.theme);
  });

  // ---- times

  const CLOCKS = ['UTC', 'local', 'ago'];
  const kept = localStorage.getItem('alpha.clock');
  let clock = CLOCKS.includes(kept) ? kept : 'UTC';

  const two = (n) => String(n).padStart(2, '0');

  function ago(date) {
    let seconds = Math.round((Date.now() - date) / 1000);
    const ahead = seconds < 0;
    seconds = Math.abs(seconds);
    const [n, unit] =
      seconds < 90 ? [seconds, 'time.s']
      : seconds < 5400 ? [Math.round(seconds / 60), 'time.min']
      : seconds < 129600 ? [Math.round(seconds / 3600), 'time.h']
      : [Math.round(seconds / 86400), 'time.d'];
    return text(ahead ? 'time.ahead' : 'time.ago', text(unit, n));
  }

  const three = (n) => String(n).padStart(3, '0');

  function told(iso, millis) {
    const date = new Date(iso);
    const rest = millis ? '.' + three(date.getMilliseconds()) : '';
    if (clock === 'ago') return ago(date);
    if (clock === 'local') {
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `
        + `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${rest}`;
    }
    return date.toISOString().slice(0, 19).replace('T', ' ') + rest;
  }

  function showTimes() {
    $('#clock').textContent = text(`script.clock.${clock}`);
    $$('time[datetime]').forEach((time) => {
      time.textContent = told(time.dateTime, 'millis' in time.dataset);
      time.title = time.dateTime;
    });
  }

  function nextClock() {
    clock = CLOCKS[(CLOCKS.indexOf(clock) + 1) % CLOCKS.length];
    localStorage.setItem('alpha.clock', clock);
    showTimes();
  }
  $('#clock').addEventListener('click', nextClock);

  // ---- following

  const pause = $('#pause');
  const following = $('#following');
  const isPaused = () => pause !== null && pause.getAttribute('aria-pressed') === 'true';
  const asDrawn = (select) => Math.max(0, [...select.options].findIndex((option) => option.defaultSelected));
  const isWriting = () => {
    const at = document.activeElement;
    return $('#live').contains(at) && at.matches('input, select, textarea')
      || $$('#live form input').some((input) => input.value !== ('filled' in input.dataset ? input.dataset.filled : input.defaultValue))
      || $$('#live select').some((select) => select.selectedIndex !== asDrawn(select));
  };
  // Somebody is about to use what would be taken away, or marks text to copy it.
  const isHeld = () => {
    const live = $('#live');
    const marked = getSelection();
    const at = document.activeElement;
    return live.contains(at) && !at.id && !at.matches('[tabindex]')
      || !marked.isCollapsed && live.contains(marked.anchorNode);
  };
  let isGone = false;
  const isFollowing = () => !document.hidden && !isPaused() && !isGone && !isWriting() && !isHeld();

  function say(text) {
    if (following.textContent !== text) following.textContent = text;
  }

  function togglePause() {
    if (pause === null) return;
    pause.setAttribute('aria-pressed', String(!isPaused()));
    say(isPaused() ? text('script.paused') : '');
  }
  if (pause) pause.addEventListener('click', togglePause);

  // Nothing is asked for that nobody looks at, and nothing is taken away from under somebody who writes.
  // What is amiss is asked for all the same: it takes nothing away.
  const isBanner = (event) => event.detail.elt.id === 'banner';
  document.addEventListener('htmx:beforeRequest', (event) => {
    if (isBanner(event) ? !document.hidden : isFollowing()) return;
    event.preventDefault();
    if (isWriting()) say(text('script.paused.writing'));
    else if (isHeld()) say(text('script.paused.held'));
  });
  let open = [];
  document.addEventListener('htmx:beforeSwap', (event) => {
    if (isBanner(event)) return;
    if (!isFollowing()) event.detail.shouldSwap = false;
    open = $$('#live details[open]').map((details) => details.id);
  });
  document.addEventListener('htmx:afterSwap', (event) => {
    if (isBanner(event)) {
      showTimes();
      return;
    }
    open.forEach((id) => { const details = document.getElementById(id); if (details) details.open = true; });
    say('');
    begin();
  });
  document.addEventListener('htmx:responseError', (event) => {
    const status = event.detail.xhr.status;
    isGone = status === 404 || status === 410;
    if (isGone) say(text('script.deleted'));
  });

  // ---- whether alpha is there at all

  // When it last answered anything, and since when it has not: all that the page shows is from then.
  let heardAt = Date.now();

  function hear(isAnswer) {
    const unheard = $('#unheard');
    if (isAnswer) heardAt = Date.now();
    if (unheard.hidden === isAnswer) return;
    unheard.hidden = isAnswer;
    document.body.classList.toggle('unheard', !isAnswer);
    if (isAnswer) return;
    $('time', unheard).dateTime = new Date(heardAt).toISOString();
    showTimes();
  }
  document.addEventListener('htmx:afterRequest', (event) => {
    const status = event.detail.xhr ? event.detail.xhr.status : 0;
    hear(status > 0 && status < 500);
  });

  // On every page, live or not; what is wrong with the request is heard above.
  function ask() {
    if (document.hidden) return;
    htmx.ajax('GET', '/banner', {source: '#banner', target: '#banner', select: '#banner', swap: 'outerHTML'})
      .catch(() => {});
  }
  setInterval(ask, 3000);
  document.addEventListener('visibilitychange', ask);
  ['online', 'offline'].forEach((change) => addEventListener(change, ask));

  // ---- rows by keys

  let at = null;

  function move(step) {
    const rows = $$('a.row');
    if (rows.length === 0) return;
    const focused = rows.indexOf(document.activeElement);
    const index = focused >= 0 ? focused : rows.findIndex((row) => row.id === at);
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
    at = next.id;
    next.focus();
    next.scrollIntoView({block: 'nearest'});
  }

  document.addEventListener('pointerdown', () => { at = null; });

  const PAGES = {o: '/overview', s: '/stuck', a: '/sagas', r: '/orders', v: '/services', n: '/nodes', c: '/coverage'};
  let going = false;

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('input, select, textarea')) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (going && PAGES[event.key]) {
      location.href = PAGES[event.key];
      return;
    }
    going = event.key === 'g';
    switch (event.key) {
      case '/': {
        event.preventDefault();
        const search = $('#search');
        if (search) search.focus();
        else location.href = '/sagas#search';
        break;
      }
      case 'j': move(1); break;
      case 'k': move(-1); break;
      case 'p': togglePause(); break;
      case 't': nextClock(); break;
      case '?': $('#help').showModal(); break;
      default: break;
    }
  });
  $('#keys').addEventListener('click', () => $('#help').showModal());
  if (location.hash === '#search' && $('#search')) $('#search').focus();

  // ---- orders

  // Where an order of this form goes, and what it says.
  function ordered(form, fields) {
    // In the body, because a header takes Latin letters only.
    const order = {operator: fields.get('who'), reason: fields.get('reason')};
    if ('bulk' in form.dataset) {
      order.order = form.dataset.bulk;
      if (form.dataset.stuck) order.stuck = form.dataset.stuck;
      order.service = form.dataset.service || fields.get('service');
      ['detail', 'outcome', 'operation', 'olderThan'].forEach((name) => {
        if (fields.get(name)) order[name] = fields.get(name);
      });
      order.perSecond = Number(fields.get('perSecond'));
      if (form.dataset.expect) {
        delete order.olderThan;
        order.expect = Number(form.dataset.expect);
        order.before = form.dataset.before;
      } else if (form.dataset.counted) {
        order.dryRun = true;
      }
      return ['/api/v1/bulk-orders', order];
    }
    order.sequence = Number(form.dataset.sequence);
    if (fields.has('branch')) order.branch = fields.get('branch');
    if (form.dataset.outcome) order.outcome = form.dataset.outcome;
    return [`/api/v1/sagas/${encodeURIComponent(form.dataset.saga)}/${form.dataset.order}`, order];
  }

  // What cannot be taken back: how many sagas are meant is shown, and typed, before it is ordered for no others.
  function counted(form, said) {
    const many = (n) => n.toLocaleString('en');
    const more = said.unfit > 0 ? ' ' + text('script.bulk.unfit', many(said.unfit)) : '';
    const isAny = said.count > 0 && !said.more;
    $('.answer', form).textContent = said.more
      ? text('script.bulk.more', many(said.count))
      : text(isAny ? 'script.bulk.meant' : 'script.bulk.none', many(said.count)) + more;
    if (!isAny) return;
    form.dataset.expect = said.count;
    form.dataset.before = said.before;
    const typed = $('.typed', form);
    typed.hidden = false;
    const button = $('button', form);
    form.dataset.count = button.textContent;
    button.textContent = form.dataset.counted;
    button.className = 'force';
    $('input', typed).focus();
  }

  // Other sagas are chosen, so they are to be counted again.
  document.addEventListener('input', (event) => {
    const form = event.target.closest('form[data-counted]');
    if (!form || ['typed', 'who', 'reason', 'perSecond'].includes(event.target.name)) return;
    $('.answer', form).textContent = '';
    uncount(form);
  });

  function uncount(form) {
    if (!form.dataset.expect) return;
    delete form.dataset.expect;
    $('.typed', form).hidden = true;
    $('.typed input', form).value = '';
    const button = $('button', form);
    button.textContent = form.dataset.count;
    button.className = 'main';
  }

  async function send(form) {
    const answer = $('.answer', form);
    const fields = new FormData(form);
    const [url, order] = ordered(form, fields);
    localStorage.setItem('alpha.who', fields.get('who'));
    const button = $('button', form);
    button.disabled = true; // An order that is sent twice may be two.
    answer.className = 'answer';
    answer.textContent = text('script.sending');
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify(order),
      });
      const said = await response.json();
      if (!response.ok) throw new Error(said.detail || response.statusText);
      if (order.dryRun) {
        button.disabled = false;
        counted(form, said);
        return;
      }
      answer.classList.add('good');
      answer.textContent = text('script.ordered');
      location.reload();
    } catch (failure) {
      button.disabled = false;
      uncount(form);
      answer.classList.add('bad');
      answer.textContent = failure.message;
    }
  }

  document.addEventListener('submit', (event) => {
    if (!event.target.matches('form.order')) return;
    event.preventDefault();
    const confirm = $('[data-confirm]', event.target);
    if (confirm && confirm.value.trim() !== confirm.dataset.confirm) {
      const answer = $('.answer', event.target);
      answer.className = 'answer bad';
      answer.textContent = text('script.other-id');
      return;
    }
    const typed = $('[name=typed]', event.target);
    if (typed && event.target.dataset.expect && typed.value.replace(/[,.\s]/g, '') !== event.target.dataset.expect) {
      const answer = $('.answer', event.target);
      answer.className = 'answer bad';
      answer.textContent = text('script.bulk.other', Number(event.target.dataset.expect).toLocaleString('en'));
      return;
    }
    send(event.target);
  });

  document.addEventListener('click', async (event) => {
    const cancel = event.target.closest('[data-cancel]');
    if (!cancel) return;
    cancel.disabled = true;
    try {
      const url = `/api/v1/bulk-orders/${encodeURIComponent(cancel.dataset.cancel)}/cancel`;
      const response = await fetch(url, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'});
      if (!response.ok) throw new Error(response.statusText);
      const silent = (await response.json()).silent;
      if (silent.length > 0) say(text('script.bulk.silent', silent.join(', ')));
    } catch (failure) {
      cancel.disabled = false;
      say(text('script.not-cancelled', failure.message));
    }
  });

  // ---- whenever there is something new

  function begin() {
    showTimes();
    if (pause) pause.hidden = !$('#live[hx-get]');
    const who = localStorage.getItem('alpha.who') || '';
    $$('form.order input[name=who]').forEach((input) => {
      if (!input.value) input.value = input.dataset.filled = who;
    });
    if (at) { const row = document.getElementById(at); if (row && document.activeElement === document.body) row.focus({preventScroll: true}); }
  }
  begin();
})();
