"""The browser components: one folder each, {__init__.py, view.js, style.css}.

A component is a typed Python function that packs its data into one byte frame
(`app.components.frame`) and a `view.js` that draws it on a canvas. Nothing here computes:
numbers come from `core`, selections go back to the page that asked.

* `head_grid`: all heads of a model at a glance, layers by heads.
* `head_view`: one head, or several: lines and heatmap, linked.
* `worked_cell`: one attention weight as arithmetic on real numbers.
* `bpe_stepper`: a run of byte-pair encoding, merge by merge.
* `bpe_encoding`: one word through a list of merges: its tree and every state.
* `bpe_fork`: two runs side by side to where they part.
* `token_spans`: one text and the tokens of several tokenizers, aligned to the byte.
* `piece_bars`: pieces over the letters of a word: a lattice, cuttings, a search.
* `chart_files`: PNG, SVG and CSV of a Plotly chart (`app.ui.charts.show`).
* `heat_map`: any matrix or strip of numbers: hover reads, a click selects.
* `token_row`: a text's tokens as buttons, shaded by a number.
* `candidates`: the most probable tokens with their bars.
* `moved_answers`: the likeliest classes before and after a change, and what each gained or lost.
* `token_table`: a token in every cell, shaded by a number: what each layer would say.
* `token_flow`: tokens by layers with an edge for every share: what flows where, along which path.
* `diagram`: boxes and arrows whose parts can be chosen.
* `decoder_steps`: a decoder token by token: where it looks, what it could say.
* `beam_tree`: a beam search as a growing tree of hypotheses.
* `drift`: points of the plane that move step by step.
* `picture_map`: a picture cut into patches, one number a patch; click, or paint a mask.
* `picture_film`: the same picture layer after layer, played and scrubbed in the browser.
* `box_picture`: a picture with boxes to click and drag, perhaps over a map.
* `hands`: Enter runs the sentence in a field of Streamlit's, the wheel turns a row that goes on.
* `tour_offer`: a first visit is offered a tour; the browser alone knows which is the first.
* `lesson_keys`: arrows and a presenter's clicker turn a lesson's steps; `lesson_resume`: goes on
  with one where the browser left it.
* `embed_stage`: in another site's frame, what is seen of a page, as large as the frame allows.
* `print_button`: prints a page once the figures in its frames are drawn.
* `notes_window`: a lesson's notes in another window of the browser, with a clock.
* `room_stream`: a browser in a room: hears what is new, or says that the teacher is there.
* `ballot`: a question in a room: votes, and bars that grow.
* `permalink`: the page's state in the address bar, and "Copy link".
* `standalone`: most of these as one offline HTML file.
"""
