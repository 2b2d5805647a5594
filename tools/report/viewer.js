// The viewer: shows the pictures of a frame one at a time, in one place.

/** @param element makes one. */
function startViewer(element) {
  const byId = (id) => document.getElementById(id);
  const viewer = byId('viewer');
  const layers = byId('layers');
  // Name, what is below, what is above.
  const kLooks = [['reference', 'reference'], ['distorted', 'distorted'], ['slider', 'reference', 'distorted'],
    ['difference', 'reference', 'distorted'], ['whole', 'whole']];
  let seen = null; // the frame's article
  const mapChoices = ['map-choice', 'viewer-map-choice'].map(byId);
  const maps = mapChoices[0] ? Array.from(mapChoices[0].options, ({value}) => value) : [''];
  let map = ''; // the feature whose map lies over pictures; empty: none

  /** The viewer's map is the one that the article has, if the frame has one. */
  function showMap(name) {
    map = name;
    for (const choice of mapChoices) if (choice) choice.value = map;
    for (const image of document.querySelectorAll('.look .map')) image.classList.toggle('shown', image.dataset.map === map);
    const source = map && seen && seen.querySelector(`.map[data-map="${CSS.escape(map)}"]`);
    const shown = byId('viewer-map');
    shown.classList.toggle('shown', !!source);
    if (source) Object.assign(shown, {src: source.src, alt: source.alt});
    else shown.removeAttribute('src');
  }

  function showLook(name) {
    const shown = kLooks.find(([look]) => look === name);
    viewer.dataset.shown = name;
    layers.className = name;
    for (const kind of ['reference', 'distorted', 'whole']) {
      const picture = byId('viewer-' + kind);
      picture.classList.toggle('shown', shown.indexOf(kind, 1) > 0);
      picture.classList.toggle('above', shown.indexOf(kind, 1) > 1);
    }
    byId('viewer-slider').hidden = name !== 'slider';
    for (const button of byId('viewer-looks').children) {
      button.classList.toggle('on', button.dataset.name === name);
      button.setAttribute('aria-pressed', button.dataset.name === name);
    }
  }
  function showArticle(article) {
    seen = article;
    for (const kind of ['reference', 'distorted', 'whole']) {
      const source = article.querySelector(`[data-look=${kind}] img`);
      Object.assign(byId('viewer-' + kind), {src: source.src, alt: source.alt});
    }
    showMap(map);
    byId('viewer-title').textContent = article.querySelector('.where').textContent.trim().replace(/\s+/g, ' ');
    byId('viewer-before').disabled = !article.previousElementSibling;
    byId('viewer-after').disabled = !article.nextElementSibling;
  }
  const step = (article) => article && showArticle(article);
  const blink = () => showLook(viewer.dataset.shown === 'reference' ? 'distorted' : 'reference');
  const setCut = (percent) => layers.style.setProperty('--cut', (byId('cut').value = percent) + '%');

  byId('viewer-map-label').hidden = byId('map-hint').hidden = maps.length < 2;
  mapChoices[1].append(...maps.map((name) => element('option', {value: name}, name || 'none')));
  for (const choice of mapChoices) if (choice) choice.addEventListener('change', () => showMap(choice.value));
  byId('viewer-looks').append(...kLooks.map(([name]) =>
    element('button', {type: 'button', 'data-name': name, onclick: () => showLook(name)}, name === 'difference' ? 'difference × 8' : name === 'whole' ? 'whole frame' : name)));
  for (const button of document.querySelectorAll('.look'))
    button.addEventListener('click', () => {
      showArticle(button.closest('article'));
      showLook(button.dataset.look);
      viewer.showModal();
    });
  byId('viewer-before').addEventListener('click', () => step(seen.previousElementSibling));
  byId('viewer-after').addEventListener('click', () => step(seen.nextElementSibling));
  byId('viewer-close').addEventListener('click', () => viewer.close());
  byId('cut').addEventListener('input', () => setCut(byId('cut').value));
  layers.addEventListener('pointermove', (event) => {
    if (viewer.dataset.shown === 'slider' && event.pointerType === 'mouse') setCut((event.clientX - layers.getBoundingClientRect().left) / layers.clientWidth * 100);
  });
  layers.addEventListener('click', () => viewer.dataset.shown !== 'slider' && blink());
  viewer.addEventListener('keydown', (event) => {
    const chosen = kLooks[+event.key - 1];
    if (event.target.matches('#cut, select') && event.key.startsWith('Arrow')) return;
    if (event.key === 'ArrowLeft') step(seen.previousElementSibling);
    else if (event.key === 'ArrowRight') step(seen.nextElementSibling);
    else if (event.key === ' ' && !event.target.matches('button, select')) blink();
    else if (event.key === 'm') showMap(maps[(maps.indexOf(map) + 1) % maps.length]);
    else if (chosen) showLook(chosen[0]);
    else return;
    event.preventDefault();
  });
  viewer.addEventListener('click', (event) => {
    if (event.target === viewer) viewer.close();
  });
}
