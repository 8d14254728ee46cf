"""What stands around Streamlit on the wire, before a page is drawn.

`server` is what Streamlit serves: its app, the routes and the layers of this folder, from the
outside in: what is counted (`measured`), what every answer says to the browser (`headers`), room
for uploads (`upload_room`); and where a figure that is embedded elsewhere is described (`oembed`).
"""
