-- bar_values
SELECT bar(0.5, 10), bar(1, 4), bar(0, 4)

-- bar_colors
SELECT bar(0.5, 6, rgb(255, 0, 0), rgb(0, 255, 0))

-- color_names
SELECT render('x', color('red')), render(1, color('#0f0'))

-- color_of_a_range
SELECT render('a', color(0.5, rgb(0, 0, 0), rgb(255, 255, 255))), render('a', color(3, 1, 5, color('#00f'), color('#f00')))

-- render_values
SELECT render(true), render(false), render(1.5, rgb(1, 2, 3))

-- rgb_out_of_range
SELECT render('x', rgb(256, 0, 0))
