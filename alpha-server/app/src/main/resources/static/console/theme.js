// Before the first paint, so that the page does not flash in the other theme.
(function () {
  var chosen = localStorage.getItem('alpha.theme');
  if (chosen) document.documentElement.dataset.theme = chosen;
})();
